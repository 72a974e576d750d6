import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addPasskey,
  beginPasskey,
  beginStepUp,
  listSignIns,
  signInWithRecoveryCode,
  useStepUp,
} from '@gateway/contracts/identity';
import type { RequestOf } from '@gateway/contracts/messages';
import { Authenticator } from './authenticator.ts';
import { client, Identity, origins, password, type Enrolled } from './harness.ts';

const realm = 'operator';
let identity: Identity;
let ana: Enrolled;
let sessionId: string;
beforeAll(async () => {
  identity = await Identity.open();
});
beforeEach(async () => {
  await identity.clear();
  ana = await identity.operator('ana');
  sessionId = (await identity.signIn(ana)).session.id;
});
afterAll(async () => identity[Symbol.asyncDispose]());

const digest = (body: string) => createHash('sha256').update(body).digest('hex');
const confirmed = (): Confirmed => ({
  ...({ realm, sessionId, operation: 'approveApproval', target: '/ops/approvals/apr_1/approve' } as const),
  bodyDigest: digest('{"reason":"checked"}'),
});
type Confirmed = RequestOf<typeof beginStepUp>;

async function confirm(used: Partial<Confirmed> = {}, device = ana.device) {
  const { stepUpId, options } = await identity.ask(beginStepUp, confirmed());
  const answer = { kind: 'passkey', passkey: device.get(options!) } as const;
  const use = { ...confirmed(), ...used, stepUpId, answer, client };
  return { use, answered: await identity.codeOf(identity.ask(useStepUp, use)) };
}

async function lastRefusal(): Promise<string | undefined> {
  const { signIns } = await identity.ask(listSignIns, { realm, outcome: 'refused' });
  return signIns[0]?.detail;
}

describe('a confirmation', () => {
  test('is of exactly one operation, is used once, and gives the session another token', async () => {
    const { token, session } = await identity.signIn(ana);
    sessionId = session.id;
    const begun = await identity.ask(beginStepUp, confirmed());
    const answer = { kind: 'passkey', passkey: ana.device.get(begun.options!) } as const;
    const use = { ...confirmed(), stepUpId: begun.stepUpId, answer, client };
    const { rotatedToken } = await identity.ask(useStepUp, use);
    expect((await identity.resolve(realm, rotatedToken)).session.id).toBe(sessionId);
    identity.pass(30);
    expect(await identity.codeOf(identity.resolve(realm, token))).toBe('SESSION_ENDED');
    expect(await identity.codeOf(identity.ask(useStepUp, use))).toBe('STEP_UP_REQUIRED');
    expect(await lastRefusal()).toBe('approveApproval: not_open');
  });

  test('for one operation, target or body cannot be used for another', async () => {
    const others: Partial<Confirmed>[] = [
      { operation: 'refuseApproval' },
      { target: '/ops/approvals/apr_2/approve' },
      { bodyDigest: digest('{"reason":"other"}') },
    ];
    for (const used of others) {
      expect((await confirm(used)).answered).toBe('STEP_UP_REQUIRED');
      expect(await lastRefusal()).toBe(`${used.operation ?? 'approveApproval'}: another_operation`);
    }
  });

  test('is used up by a wrong answer, so that there is one try', async () => {
    const { use } = await confirm({ target: 'another' });
    expect(await identity.codeOf(identity.ask(useStepUp, { ...use, ...confirmed() }))).toBe('STEP_UP_REQUIRED');
    expect(await lastRefusal()).toBe('approveApproval: not_open');
  });

  test('of one session is none of another session of the same person', async () => {
    const other = await identity.signIn(ana);
    expect((await confirm({ sessionId: other.session.id })).answered).toBe('STEP_UP_REQUIRED');
  });

  test('by the passkey of another person is refused', async () => {
    const bruno = await identity.operator('bruno');
    const { stepUpId, options } = await identity.ask(beginStepUp, confirmed());
    const foreign = bruno.device.get({ ...options, allowCredentials: undefined });
    const use = { ...confirmed(), stepUpId, answer: { kind: 'passkey', passkey: foreign } as const, client };
    expect(await identity.codeOf(identity.ask(useStepUp, use))).toBe('STEP_UP_REQUIRED');
    expect(await lastRefusal()).toBe('approveApproval: passkey_of_another');
  });

  test('answers a sign-in’s challenge as little as a sign-in answers it', async () => {
    const { stepUpId } = await identity.ask(beginStepUp, confirmed());
    const signingIn = ana.device.get({ rpId: 'ops.example.com', challenge: Buffer.alloc(32).toString('base64url') });
    const use = { ...confirmed(), stepUpId, answer: { kind: 'passkey', passkey: signingIn } as const, client };
    expect(await identity.codeOf(identity.ask(useStepUp, use))).toBe('STEP_UP_REQUIRED');
    expect(await lastRefusal()).toBe('approveApproval: wrong_answer');
  });

  test('of the same operation has another challenge each time: an answer cannot be used again', async () => {
    const challenges = await Promise.all([1, 2].map(() => identity.ask(beginStepUp, confirmed())));
    const [one, other] = challenges.map(({ options }) => options?.['challenge']);
    expect(one).not.toBe(other);
  });

  test('has five minutes', async () => {
    const { stepUpId, options } = await identity.ask(beginStepUp, confirmed());
    identity.pass(300);
    const answer = { kind: 'passkey', passkey: ana.device.get(options!) } as const;
    const use = { ...confirmed(), stepUpId, answer, client };
    expect(await identity.codeOf(identity.ask(useStepUp, use))).toBe('STEP_UP_REQUIRED');
  });
});

describe('what confirms', () => {
  test('is a passkey where the person has one: password and code are not asked for, and not taken', async () => {
    const secret = await identity.setPassword(ana);
    sessionId = (await identity.signIn(ana)).session.id;
    const { stepUpId, password: asked } = await identity.ask(beginStepUp, confirmed());
    expect(asked).toBe(false);
    const answer = { kind: 'password', password, code: await identity.code(secret) } as const;
    const use = { ...confirmed(), stepUpId, answer, client };
    expect(await identity.codeOf(identity.ask(useStepUp, use))).toBe('STEP_UP_REQUIRED');
    expect(await lastRefusal()).toBe('approveApproval: has_passkey');
  });

  test('are password and code of a person without a passkey, counted as guesses', async () => {
    const secret = await identity.setPassword(ana);
    sessionId = (await identity.signIn(ana)).session.id;
    await identity.database.query('delete from passkey where person_id = $1', [ana.id]);
    const attempt = async (code: string) => {
      const { stepUpId, password: asked } = await identity.ask(beginStepUp, confirmed());
      expect(asked).toBe(true);
      const answer = { kind: 'password', password, code } as const;
      return await identity.codeOf(identity.ask(useStepUp, { ...confirmed(), stepUpId, answer, client }));
    };
    expect(await attempt(await identity.code(secret))).toBe('answered');
    for (let guess = 0; guess < 5; guess++) expect(await attempt('000000')).toBe('STEP_UP_REQUIRED');
    expect(await attempt(await identity.code(secret))).toBe('RATE_LIMITED');
  });

  test('is no passkey that was enrolled by a recovery code within 24 hours', async () => {
    const device = new Authenticator(origins.operator);
    const recovering = { realm, name: 'ana', code: ana.recoveryCodes[0]!, client } as const;
    const { session } = await identity.ask(signInWithRecoveryCode, recovering);
    const begun = await identity.ask(beginPasskey, { realm, holder: { sessionId: session.id } });
    const answer = device.create(begun.options);
    const made = { realm, sessionId: session.id, challengeId: begun.challengeId, answer, label: 'new' } as const;
    await identity.ask(addPasskey, made);
    sessionId = (await identity.signIn({ realm, device })).session.id;
    const { stepUpId, options } = await identity.ask(beginStepUp, confirmed());
    const passkey = device.get({ ...options, allowCredentials: undefined });
    const use = { ...confirmed(), stepUpId, answer: { kind: 'passkey', passkey } as const, client };
    expect(await identity.codeOf(identity.ask(useStepUp, use))).toBe('STEP_UP_REQUIRED');
    expect(await lastRefusal()).toBe('approveApproval: enrolled_too_recently');
    identity.pass(86_400);
    sessionId = (await identity.signIn({ realm, device })).session.id;
    expect((await confirm({}, device)).answered).toBe('answered');
  });
});
