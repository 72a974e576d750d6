import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addPasskey, beginPasskey, beginTotp, createRecoveryCodes, setPassword } from '@gateway/contracts/identity';
import { Authenticator } from './authenticator.ts';
import { Identity, origins, password, type Enrolled } from './harness.ts';

const realm = 'merchant';

let identity: Identity;
let rita: Enrolled;
beforeAll(async () => {
  identity = await Identity.open();
});
beforeEach(async () => {
  await identity.clear();
  rita = await identity.merchant('rita');
});
afterAll(async () => identity[Symbol.asyncDispose]());

async function typesPassword(sessionId: string) {
  const { challengeId, secret } = await identity.ask(beginTotp, { realm, holder: { sessionId } });
  return await identity.ask(setPassword, {
    realm,
    sessionId,
    challengeId,
    password,
    code: await identity.code(secret),
  });
}

async function addsPasskey(sessionId: string) {
  const { challengeId, options } = await identity.ask(beginPasskey, { realm, holder: { sessionId } });
  const answer = new Authenticator(origins.merchant).create(options);
  return await identity.ask(addPasskey, { realm, sessionId, challengeId, answer, label: 'another' });
}

// As a reset of the sign-in does: with the person locked, and all sessions ended that are there by then.
test.each([
  ['a password', typesPassword],
  ['a passkey', addsPasskey],
  ['recovery codes', (sessionId: string) => identity.ask(createRecoveryCodes, { realm, sessionId })],
])('what a session adds when it has ended meanwhile is not kept: %s', async (_what, add) => {
  const { session } = await identity.signIn(rita);
  const { answer } = await identity.database.transaction(async (tx) => {
    await tx.sql("select from person where name = 'rita' for update");
    const waits = { answer: identity.codeOf(add(session.id)) };
    await identity.oneWaits();
    await tx.sql('update session set ended_at = $1', [identity.at]);
    return waits;
  });
  expect(await answer).toBe('SESSION_ENDED');
});
