import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addPasskey,
  beginPasskey,
  beginSignIn,
  finishSignIn,
  listCredentials,
  listSignIns,
  removePasskey,
  suspendPerson,
  type AuthenticationAnswer,
} from '@gateway/contracts/identity';
import { Authenticator, type Behaviour } from './authenticator.ts';
import { client, Identity, origins, type Enrolled } from './harness.ts';

let identity: Identity;
let ana: Enrolled;
beforeAll(async () => {
  identity = await Identity.open();
});
beforeEach(async () => {
  await identity.clear();
  ana = await identity.operator('ana');
});
afterAll(async () => identity[Symbol.asyncDispose]());

const begin = () => identity.ask(beginSignIn, { realm: 'operator', client });
const finish = (challengeId: string, answer: AuthenticationAnswer, realm: 'operator' | 'merchant' = 'operator') =>
  identity.ask(finishSignIn, { realm, challengeId, answer, client });

async function lastRefusal(): Promise<string | undefined> {
  const { signIns } = await identity.ask(listSignIns, { realm: 'operator', outcome: 'refused' });
  return signIns[0]?.detail;
}

describe('a sign-in by passkey', () => {
  test('begins a session of its person, and is in the history with place and browser', async () => {
    const { token, session } = await identity.signIn(ana);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(session).toMatchObject({ personId: ana.id, personName: 'ana', realm: 'operator', factor: 'passkey' });
    expect((await identity.resolve('operator', token)).session).toEqual(session);
    const { signIns } = await identity.ask(listSignIns, { realm: 'operator', personId: ana.id });
    expect(signIns[0]).toMatchObject({ what: 'sign_in.passkey', outcome: 'done', ...client });
  });

  test.each<[string, Behaviour]>([
    ['of another origin', { origin: 'https://ops.example.com.evil.example' }],
    ['of the other realm’s origin', { origin: origins.merchant }],
    ['without the person verified', { verifies: false }],
    ['to another challenge', { challenge: Buffer.alloc(32, 1).toString('base64url') }],
  ])('%s is refused, and the history has why', async (_what, behaviour) => {
    const { challengeId, options } = await begin();
    const answer = ana.device.get(options, behaviour);
    expect(await identity.codeOf(finish(challengeId, answer))).toBe('SIGN_IN_REFUSED');
    expect(await lastRefusal()).toBe('wrong_answer');
  });

  test('is answered once: the same answer again, and another to its challenge, are refused', async () => {
    const { challengeId, options } = await begin();
    const answer = ana.device.get(options);
    await finish(challengeId, answer);
    for (const again of [answer, ana.device.get(options)]) {
      expect(await identity.codeOf(finish(challengeId, again))).toBe('SIGN_IN_REFUSED');
      expect(await lastRefusal()).toBe('challenge_not_open');
    }
  });

  test('of two requests with one answer at once lets one in', async () => {
    const { challengeId, options } = await begin();
    const answer = ana.device.get(options);
    const codes = await Promise.all([1, 2, 3, 4].map(() => identity.codeOf(finish(challengeId, answer))));
    expect(codes.filter((code) => code === 'answered')).toHaveLength(1);
  });

  test('has five minutes', async () => {
    const { challengeId, options } = await begin();
    identity.pass(300);
    expect(await identity.codeOf(finish(challengeId, ana.device.get(options)))).toBe('SIGN_IN_REFUSED');
    const later = await begin();
    identity.pass(299);
    await finish(later.challengeId, ana.device.get(later.options));
  });

  test('finds no one in the other realm, whatever its key signs', async () => {
    const copied = new Authenticator(origins.merchant);
    const { challengeId, options } = await identity.ask(beginSignIn, { realm: 'merchant', client });
    const rita = await identity.merchant('rita');
    expect(await identity.codeOf(finish(challengeId, rita.device.get(options)))).toBe('SIGN_IN_REFUSED');
    expect(() => copied.get(options)).toThrow('no key');
  });

  test('by a copy of an authenticator that counts is refused once one of both has counted further', async () => {
    const thief = ana.device.copy();
    await identity.signIn(ana);
    expect(await identity.codeOf(identity.signIn({ realm: 'operator', device: thief }))).toBe('SIGN_IN_REFUSED');
  });

  test('of a suspended person is refused with the same words as an unknown key', async () => {
    const admins = await Promise.all(['bruno', 'carla'].map((name) => identity.operator(name)));
    await identity.ask(suspendPerson, { realm: 'operator', personId: ana.id, by: admins[0]!.id, reason: 'left' });
    const suspended = identity.signIn(ana);
    await expect(suspended).rejects.toThrow('the sign-in is not valid');
    expect(await lastRefusal()).toBe('not_active');
    await identity.database.query('delete from passkey where person_id = $1', [ana.id]);
    await expect(identity.signIn(ana)).rejects.toThrow('the sign-in is not valid');
    expect(await lastRefusal()).toBe('unknown_passkey');
  });
});

describe('a further passkey', () => {
  const add = async (sessionId: string, device = new Authenticator(origins.operator), behaviour: Behaviour = {}) => {
    const { challengeId, options } = await identity.ask(beginPasskey, { realm: 'operator', holder: { sessionId } });
    const answer = device.create(options, behaviour);
    return await identity.ask(addPasskey, { realm: 'operator', sessionId, challengeId, answer, label: 'second' });
  };

  test('signs in as the first, and is refused when it is not made for this page or this person', async () => {
    const { session } = await identity.signIn(ana);
    const device = new Authenticator(origins.operator);
    await add(session.id, device);
    await identity.signIn({ realm: 'operator', device });
    expect(await identity.codeOf(add(session.id, device, { origin: origins.merchant }))).toBe('VALIDATION_ERROR');
    expect(await identity.codeOf(add(session.id, device, { verifies: false }))).toBe('VALIDATION_ERROR');
  });

  test('is added by who signed in within five minutes, and by a challenge of the same session', async () => {
    const [one, other] = [await identity.signIn(ana), await identity.signIn(ana)];
    const holder = { sessionId: one.session.id };
    const { challengeId, options } = await identity.ask(beginPasskey, { realm: 'operator', holder });
    const answer = new Authenticator(origins.operator).create(options);
    const made = { realm: 'operator', challengeId, answer, label: 'second' } as const;
    expect(await identity.codeOf(identity.ask(addPasskey, { ...made, sessionId: other.session.id }))).toBe(
      'VALIDATION_ERROR',
    );
    identity.pass(300);
    expect(await identity.codeOf(add(one.session.id))).toBe('STEP_UP_REQUIRED');
  });

  test('gives operators what is withheld with one: permissions about money', async () => {
    const { session, token } = await identity.signIn(ana);
    expect(session.withheld).toContain('money:decide');
    await add(session.id);
    expect((await identity.resolve('operator', token)).session.withheld).toEqual([]);
  });

  test('can be removed, which ends the other sessions, and the last way to sign in cannot', async () => {
    const [one, other] = [await identity.signIn(ana), await identity.signIn(ana)];
    const sessionId = one.session.id;
    const { passkey } = await add(sessionId);
    await identity.ask(removePasskey, { realm: 'operator', sessionId, passkeyId: passkey.id });
    expect(await identity.codeOf(identity.resolve('operator', other.token))).toBe('SESSION_ENDED');
    await identity.resolve('operator', one.token);
    const { passkeys } = await identity.ask(listCredentials, { realm: 'operator', personId: ana.id });
    const last = identity.ask(removePasskey, { realm: 'operator', sessionId, passkeyId: passkeys[0]!.id });
    expect(await identity.codeOf(last)).toBe('INVALID_STATE');
    await identity.signIn(ana);
  });

  test('is refused with the field where its label or its transports cannot be stored', async () => {
    const { session } = await identity.signIn(ana);
    const holder = { sessionId: session.id };
    const { challengeId, options } = await identity.ask(beginPasskey, { realm: 'operator', holder });
    const made = { realm: 'operator', sessionId: session.id, challengeId } as const;
    const answer = new Authenticator(origins.operator).create(options);
    const labelled = { ...made, answer, label: 'a\0b' };
    await expect(identity.ask(addPasskey, labelled)).rejects.toMatchObject({ issues: [{ path: ['label'] }] });
    const response = { ...answer.response, transports: ['a\0b'] };
    await expect(
      identity.ask(addPasskey, { ...made, answer: { ...answer, response }, label: 'one' }),
    ).rejects.toMatchObject({ issues: [{ path: ['answer', 'response', 'transports', 0] }] });
  });

  test('signs in at the same moment as the first', async () => {
    const device = new Authenticator(origins.operator);
    const { session } = await identity.signIn(ana);
    await add(session.id, device);
    for (let round = 0; round < 5; round++) {
      await Promise.all([identity.signIn(ana), identity.signIn({ realm: 'operator', device })]);
    }
  });

  test('is one of ten at most', async () => {
    const { session } = await identity.signIn(ana);
    for (let count = 1; count < 10; count++) await add(session.id);
    expect(await identity.codeOf(add(session.id))).toBe('LIMIT_REACHED');
  });
});
