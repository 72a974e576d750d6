import { hash, randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { newId } from '@gateway/money';
import type { Stack } from '@gateway/local-stack';

/** A person at a console, signed in. */
export interface Reader {
  /** Of the console, as browsers name it. */
  readonly origin: string;
  readonly cookie: { readonly name: string; readonly value: string };
  readonly headers: Readonly<Record<string, string>>;
}

const writePerson = `
  insert into person (realm, id, name, state, roles, created_at) values ($1, $2, $2, 'ACTIVE', $3, now())`;
const writeMembership = `
  insert into membership (realm, person_id, account_id, roles, environments)
  values ('merchant', $1, $2, '{owner}', '{test,live}')`;
const writeSession = `
  insert into session (realm, id, person_id, factor, token_digest, token_issued_at, step_up_from, address, user_agent,
                       created_at, last_seen_at, ends_at)
  values ($1, $2, $3, 'passkey', $4, now(), now(), '127.0.0.1', 'bench', now(), now(), now() + interval '8 hours')`;

/** New operators who may look at everything, each signed in: written as sign-ins write them, which are limited in number. */
export async function signInOperators(stack: Stack, count: number): Promise<Reader[]> {
  const origin = originOf(stack.opsUrl);
  return await withIdentity(stack, async (client) => {
    const readers: Reader[] = [];
    for (let nth = 0; nth < count; nth += 1) {
      readers.push(await signIn(client, { realm: 'operator', roles: ['duty', 'treasurer'], origin, cookie: 'ops' }));
    }
    return readers;
  });
}

/** A new owner of the account, signed in; what they read is of test mode. */
export async function signInOwner(stack: Stack, accountId: string): Promise<Reader> {
  const origin = originOf(stack.consoleUrl);
  return await withIdentity(stack, async (client) => {
    const entry = { realm: 'merchant', roles: [], origin, cookie: 'console', accountId } as const;
    const { headers, ...reader } = await signIn(client, entry);
    return { ...reader, headers: { ...headers, 'x-account': accountId, 'x-environment': 'test' } };
  });
}

interface Entry {
  readonly realm: 'operator' | 'merchant';
  readonly roles: readonly string[];
  readonly origin: string;
  readonly cookie: string;
  readonly accountId?: string;
}

async function signIn(client: Client, { realm, roles, origin, cookie, accountId }: Entry): Promise<Reader> {
  const [personId, token] = [newId('person'), randomBytes(32).toString('base64url')];
  await client.query(writePerson, [realm, personId, roles]);
  if (accountId !== undefined) await client.query(writeMembership, [personId, accountId]);
  const digest = Buffer.from(hash('sha256', token), 'hex');
  await client.query(writeSession, [realm, newId('session'), personId, digest]);
  const name = `${cookie}-${new URL(origin).port}`;
  return { origin, cookie: { name, value: token }, headers: { cookie: `${name}=${token}`, 'x-console': '1' } };
}

async function withIdentity<Result>(stack: Stack, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: stack.databaseUrls['gateway_identity'] ?? '' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The consoles answer under the name that passkeys need, whatever address the listener has. */
function originOf(url: string): string {
  return `http://localhost:${new URL(url).port}`;
}
