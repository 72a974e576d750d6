import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { StartFailure } from '#src/progress.ts';
import type { SignInLink } from '#src/stack/demo-merchant.ts';
import { repository } from '#src/state-directory.ts';

interface DemoPerson {
  readonly name: string;
  readonly console: SignInLink['console'];
  readonly roles: string;
}

/** The people of a developer's machine: two at each console, since one alone decides nothing and sends no money. */
const people: readonly DemoPerson[] = [
  { name: 'ana', console: 'operators', roles: 'admin,duty' },
  { name: 'bruno', console: 'operators', roles: 'treasurer' },
  { name: 'olga', console: 'merchants', roles: 'owner' },
  { name: 'paulo', console: 'merchants', roles: 'approver' },
];

export interface LinkOptions {
  /** That of identity. */
  readonly environment: NodeJS.ProcessEnv;
  /** Whose people they are at the merchants' console; without an account there are none. */
  readonly accountId: string | undefined;
}

/**
 * Links for the people of a developer's machine, who are made with their first ones.
 *
 * @throws StartFailure with the reason when none can be made
 */
export async function signInLinks({ environment, accountId }: LinkOptions): Promise<SignInLink[]> {
  const known = people.filter((person) => person.console === 'operators' || accountId !== undefined);
  return await Promise.all(known.map((person) => linkOf(environment, person, accountId)));
}

/** Another link for one of them. @throws StartFailure for another name, and with the reason when none can be made */
export async function signInLink(name: string, { environment, accountId }: LinkOptions): Promise<SignInLink> {
  const person = people.find((each) => each.name === name);
  if (!person)
    throw new StartFailure(`there is no ${name}: it is one of ${people.map((each) => each.name).join(', ')}`);
  if (person.console === 'merchants' && accountId === undefined) throw new StartFailure('there is no demo merchant');
  return await linkOf(environment, person, accountId);
}

async function linkOf(
  environment: NodeJS.ProcessEnv,
  { name, roles, console }: DemoPerson,
  accountId: string | undefined,
): Promise<SignInLink> {
  const script = join(repository, 'services/identity/src/dev-login.ts');
  const account = console === 'merchants' && accountId !== undefined ? ['--account', accountId] : [];
  const child = spawn(process.execPath, [script, '--name', name, '--roles', roles, ...account], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const [[code], out, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (code !== 0) throw new StartFailure(`no link to sign in ${name}: ${errors.trim()}`);
  return { name, console, url: out.trim() };
}
