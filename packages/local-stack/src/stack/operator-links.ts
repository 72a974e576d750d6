import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { StartFailure } from '#src/progress.ts';
import { repository } from '#src/state-directory.ts';

/** Who works at the operators' console of a developer's machine: two people, since one alone decides nothing. */
const people = { ana: 'admin,duty', bruno: 'treasurer' } as const;

/** A link that signs a person in, once, within an hour. */
export interface OperatorLink {
  readonly name: string;
  readonly link: string;
}

/**
 * Links for the people of a developer's machine, who are made with their first ones.
 *
 * @param environment that of identity
 * @throws StartFailure with the reason when none can be made
 */
export async function operatorLinks(environment: NodeJS.ProcessEnv): Promise<OperatorLink[]> {
  const asked = Object.entries(people).map(async ([name, roles]) => ({
    name,
    link: await linkOf(environment, name, roles),
  }));
  return await Promise.all(asked);
}

async function linkOf(environment: NodeJS.ProcessEnv, name: string, roles: string): Promise<string> {
  const script = join(repository, 'services/identity/src/dev-login.ts');
  const child = spawn(process.execPath, [script, '--name', name, '--roles', roles], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const [[code], out, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (code !== 0) throw new StartFailure(`no link to sign in ${name}: ${errors.trim()}`);
  return out.trim();
}
