import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  acceptInvitation,
  beginPasskey,
  beginSignIn,
  endSession,
  finishSignIn,
  resolveSession,
  sessionsRevokedSchema,
  sessionsRevokedSignal,
  signInWithLink,
} from '@gateway/contracts/identity';
import { callRpc, type Bus } from '@gateway/messaging';
import { newId } from '@gateway/money';
import { Readiness } from '@gateway/runtime';
import {
  createTestBus,
  createTestDatabase,
  eventually,
  silentLogger,
  testBusSecretsKey,
  testNatsUrl,
  type TestDatabase,
} from '@gateway/test-kit';
import { readConfig } from '#src/config.ts';
import { bootstrapAdmin } from '#src/invitations/bootstrap-admin.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { startService } from '#src/service.ts';
import { createDevLink } from '#src/signing-in/create-dev-link.ts';
import { Authenticator } from './authenticator.ts';
import { client, digestOf } from './harness.ts';

const realm = 'operator';
const origin = 'http://localhost:9080';
const stack = new AsyncDisposableStack();
const readiness = new Readiness();
let bus: Bus;
let testDatabase: TestDatabase;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  testDatabase = stack.use(await createTestDatabase('identity', { migrations }));
  bus = stack.use(await createTestBus());
  env = {
    DATABASE_URL: testDatabase.url,
    NATS_URL: testNatsUrl(),
    SECRETS_KEY: randomBytes(32).toString('base64'),
    BUS_SECRETS_KEY: testBusSecretsKey,
    DEV_LOGIN: 'true',
  };
  const { signal } = new AbortController();
  stack.use(await startService({ name: 'identity', env, logger: silentLogger, readiness, signal }));
});
afterAll(async () => stack.disposeAsync());

const now = () => new Date();

test('the first admin comes in over the bus by the link of bootstrap, and a gateway hears of the end of the session', async () => {
  const { token: link } = await bootstrapAdmin({ ...testDatabase, now }, { name: 'ana', breakGlass: false });
  const device = new Authenticator(origin);
  const tokenDigest = digestOf(link);
  const enrolling = await callRpc(bus, beginPasskey, { realm, holder: { invitationDigest: tokenDigest } });
  const answer = device.create(enrolling.options);
  const credential = { kind: 'passkey', answer, label: 'laptop' } as const;
  const { challengeId } = enrolling;
  await callRpc(bus, acceptInvitation, { realm, tokenDigest, challengeId, credential, client });
  const begun = await callRpc(bus, beginSignIn, { realm, client });
  const signingIn = { realm, challengeId: begun.challengeId, answer: device.get(begun.options), client } as const;
  const { token, session } = await callRpc(bus, finishSignIn, signingIn);
  const asked = { realm, tokenDigest: digestOf(token), active: true } as const;
  expect((await callRpc(bus, resolveSession, asked)).session.id).toBe(session.id);

  const heard: unknown[] = [];
  bus.connection.subscribe(sessionsRevokedSignal, { callback: (_error, message) => void heard.push(message.json()) });
  await bus.ping();
  await callRpc(bus, endSession, { realm, personId: session.personId, sessionId: session.id, by: session.personId });
  await eventually(() => expect(heard).toEqual([sessionsRevokedSchema.parse({ realm, ids: [session.id] })]));
  await expect(callRpc(bus, resolveSession, asked)).rejects.toMatchObject({ code: 'SESSION_ENDED' });
  expect(await readiness.report()).toMatchObject({ ready: false, checks: { database: 'ok', bus: 'ok' } });
});

test('a developer’s link signs in once, and none does where DEV_LOGIN is not set', async () => {
  const config = readConfig(env);
  const link = await createDevLink({ ...testDatabase, config, now }, { realm, name: 'bruno', roles: ['treasurer'] });
  const signingIn = { realm, tokenDigest: digestOf(link), client } as const;
  const { session } = await callRpc(bus, signInWithLink, signingIn);
  expect(session).toMatchObject({ personName: 'bruno', roles: ['treasurer'], factor: 'link' });
  await expect(callRpc(bus, signInWithLink, signingIn)).rejects.toMatchObject({ code: 'SIGN_IN_REFUSED' });
  const off = { ...config, DEV_LOGIN: false };
  const refused = createDevLink({ ...testDatabase, config: off, now }, { realm, name: 'bruno', roles: ['duty'] });
  await expect(refused).rejects.toMatchObject({ code: 'INVALID_STATE' });
});

test('a developer’s link of a merchant’s person signs in at that console alone, with rights in that account', async () => {
  const config = readConfig(env);
  const accountId = newId('account');
  const person = { realm: 'merchant', name: 'olga', accountId, roles: ['owner'] } as const;
  const link = await createDevLink({ ...testDatabase, config, now }, person);
  const tokenDigest = digestOf(link);
  await expect(callRpc(bus, signInWithLink, { realm, tokenDigest, client })).rejects.toMatchObject({
    code: 'SIGN_IN_REFUSED',
  });
  const { session } = await callRpc(bus, signInWithLink, { realm: 'merchant', tokenDigest, client });
  const memberships = [{ accountId, roles: ['owner'], environments: ['test', 'live'] }];
  expect(session).toMatchObject({ realm: 'merchant', personName: 'olga', roles: [], memberships });
});
