import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, statSync } from 'node:fs';
import { StartFailure } from '#src/progress.ts';

/** How to run a command so that PostgreSQL accepts the user it runs as. */
export interface PostgresUser {
  /** Who must own the data directory; undefined: our own user. */
  ids: { uid: number; gid: number } | undefined;
  command(program: string, args: string[]): { command: string; args: string[]; uid?: number; gid?: number };
}

interface NeededAccess {
  /** Programs it must be able to run. */
  programs: string[];
  /** Files it must be able to read. */
  files: string[];
  /** The directory it writes to. It exists; it is given to the user. */
  directory: string;
}

/**
 * PostgreSQL refuses to run as root, so root runs it as the owner of the data, else as `postgres`, else as `nobody`.
 * Where that user cannot get through to the programs or the data (a checkout below a directory only root may enter),
 * it is given just the capability to do so.
 *
 * @throws StartFailure when no way works, with what to do.
 */
export function postgresUser(access: NeededAccess): PostgresUser {
  if (process.getuid?.() !== 0) return { ids: undefined, command: (command, args) => ({ command, args }) };
  const ids = unprivilegedOwner(access.directory) ?? idsOf('postgres') ?? idsOf('nobody');
  if (ids === undefined) {
    throw new StartFailure('PostgreSQL does not run as root: create a user named postgres, or start as another user');
  }
  chownSync(access.directory, ids.uid, ids.gid);
  const ways: PostgresUser[] = [
    { ids, command: (command, args) => ({ command, args, ...ids }) },
    withCapability(ids, 'dac_read_search'),
    // Containers often lack the first one and have this one.
    withCapability(ids, 'dac_override'),
  ];
  const way = ways.find((candidate) => canAccess(candidate, access));
  if (way === undefined) {
    throw new StartFailure(
      `PostgreSQL does not run as root, and uid ${ids.uid} has no access to ${access.directory} and the programs in ` +
        'node_modules: start as an ordinary user, or keep the repository where every user may enter (chmod a+x)',
    );
  }
  return way;
}

// Without no_setuid_fixup the kernel ignores capabilities in access(2), by which PostgreSQL looks for its programs.
function withCapability(ids: { uid: number; gid: number }, capability: string): PostgresUser {
  const privileges = [
    '--securebits=+no_setuid_fixup',
    `--reuid=${ids.uid}`,
    `--regid=${ids.gid}`,
    '--clear-groups',
    `--inh-caps=+${capability}`,
    `--ambient-caps=+${capability}`,
  ];
  return {
    ids,
    command: (program, args) => ({ command: 'setpriv', args: [...privileges, '--', program, ...args] }),
  };
}

function canAccess(user: PostgresUser, access: NeededAccess): boolean {
  const conditions = [
    ...access.programs.map((file) => ['-x', file]),
    ...access.files.map((file) => ['-r', file]),
    ['-w', access.directory],
    ['-x', access.directory],
  ];
  return conditions.every((condition) => {
    const { command, args, ...ids } = user.command('test', condition);
    return spawnSync(command, args, { ...ids, stdio: 'ignore', cwd: '/' }).status === 0;
  });
}

function unprivilegedOwner(directory: string): { uid: number; gid: number } | undefined {
  const { uid, gid } = statSync(directory);
  return uid === 0 ? undefined : { uid, gid };
}

function idsOf(name: string): { uid: number; gid: number } | undefined {
  try {
    const id = (flag: string): number =>
      Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}
