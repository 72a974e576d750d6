import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  changeRoles,
  endSession,
  endSessions,
  listSessions,
  peopleChangedSchema,
  suspendPerson,
} from '@gateway/contracts/identity';
import { Identity, type Enrolled } from './harness.ts';

let identity: Identity;
let ana: Enrolled;
let bruno: Enrolled;
beforeAll(async () => {
  identity = await Identity.open();
});
beforeEach(async () => {
  await identity.clear();
  [ana, bruno] = [await identity.operator('ana'), await identity.operator('bruno')];
});
afterAll(async () => identity[Symbol.asyncDispose]());

const resolves = async (token: string, active = true) =>
  (await identity.codeOf(identity.resolve('operator', token, active))) === 'answered';

describe('a session', () => {
  test('is stored by the SHA-256 of its token alone', async () => {
    const { token, session } = await identity.signIn(ana);
    const [row] = await identity.database.query('select row_to_json(s)::text as text from session s where id = $1', [
      session.id,
    ]);
    expect(row?.['text']).not.toContain(token);
    expect(row?.['text']).not.toContain(Buffer.from(token, 'base64url').toString('hex'));
  });

  test('is idle after 15 minutes for operators and 30 for the people of merchants', async () => {
    const rita = await identity.merchant('rita');
    const [operator, merchant] = [await identity.signIn(ana), await identity.signIn(rita)];
    identity.pass(899);
    expect(await resolves(operator.token, false)).toBe(true);
    identity.pass(1);
    expect(await resolves(operator.token)).toBe(false);
    identity.pass(899);
    await identity.resolve('merchant', merchant.token, false);
    identity.pass(1);
    expect(await identity.codeOf(identity.resolve('merchant', merchant.token))).toBe('SESSION_ENDED');
  });

  test('is kept alive by requests of its person, and not by streams and polling', async () => {
    const kept = await identity.signIn(ana);
    const polled = await identity.signIn(ana);
    let { token } = kept;
    for (let minutes = 0; minutes < 30; minutes += 5) {
      identity.pass(300);
      token = (await identity.resolve('operator', token)).rotatedToken ?? token;
      if (minutes < 10) await identity.resolve('operator', polled.token, false);
    }
    expect(await resolves(token)).toBe(true);
    expect(await resolves(polled.token, false)).toBe(false);
  });

  test('ends after ten hours of work', async () => {
    let { token } = await identity.signIn(ana);
    for (let minutes = 0; minutes < 595; minutes += 5) {
      identity.pass(300);
      token = (await identity.resolve('operator', token)).rotatedToken ?? token;
    }
    identity.pass(299);
    token = (await identity.resolve('operator', token)).rotatedToken ?? token;
    identity.pass(1);
    expect(await resolves(token)).toBe(false);
  });

  test('of one realm is none in the other', async () => {
    const { token } = await identity.signIn(ana);
    expect(await identity.codeOf(identity.resolve('merchant', token))).toBe('SESSION_ENDED');
  });
});

describe('a token', () => {
  test('is replaced after 15 minutes by one request, however many come with it, and lives 30 seconds more', async () => {
    const { token } = await identity.signIn(ana);
    identity.pass(600);
    expect((await identity.resolve('operator', token)).rotatedToken).toBeNull();
    identity.pass(300);
    const answers = await Promise.all(Array.from({ length: 8 }, () => identity.resolve('operator', token)));
    const rotated = answers.flatMap(({ rotatedToken }) => rotatedToken ?? []);
    expect(rotated).toHaveLength(1);
    identity.pass(29);
    expect(await resolves(token)).toBe(true);
    identity.pass(1);
    expect(await resolves(token)).toBe(false);
    expect(await resolves(rotated[0]!)).toBe(true);
  });

  test('is replaced at the next request after a change of roles', async () => {
    const { token } = await identity.signIn(bruno);
    const rights = { roles: ['admin' as const, 'duty' as const] };
    await identity.ask(changeRoles, { realm: 'operator', personId: bruno.id, by: ana.id, rights });
    const { session, rotatedToken } = await identity.resolve('operator', token);
    expect(session.roles).toEqual(['admin', 'duty']);
    expect(rotatedToken).not.toBeNull();
    expect(identity.signals).toContainEqual({
      subject: 'signal.people.changed',
      payload: peopleChangedSchema.parse({ realm: 'operator', personId: bruno.id }),
    });
  });

  test('that was replaced never resolves 30 seconds later, whatever is asked in between', async () => {
    const steps = fc.array(fc.record({ seconds: fc.integer({ min: 1, max: 700 }), replaced: fc.boolean() }), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (walked) => {
        let { token } = await identity.signIn(ana);
        const replaced: { token: string; at: number }[] = [];
        for (const { seconds, replaced: askOld } of walked) {
          identity.pass(seconds);
          for (const old of replaced) {
            const graceIsOver = identity.at.getTime() - old.at >= 30_000;
            if (askOld && graceIsOver) expect(await resolves(old.token)).toBe(false);
          }
          const { rotatedToken } = await identity.resolve('operator', token);
          if (rotatedToken === null) continue;
          replaced.push({ token, at: identity.at.getTime() });
          token = rotatedToken;
        }
      }),
      { numRuns: 15 },
    );
  });
});

describe('ending', () => {
  test('refuses the session at once, and has the gateways drop it', async () => {
    identity.signals.length = 0;
    const [one, other] = [await identity.signIn(ana), await identity.signIn(ana)];
    const ended = { realm: 'operator', personId: ana.id, sessionId: one.session.id, by: ana.id } as const;
    await identity.ask(endSession, ended);
    expect(await resolves(one.token)).toBe(false);
    expect(await resolves(other.token)).toBe(true);
    const payload = { realm: 'operator', ids: [one.session.id] };
    expect(identity.signals).toEqual([{ subject: 'signal.sessions.revoked', payload }]);
    await identity.ask(endSession, ended);
    expect(identity.signals).toHaveLength(1);
  });

  test('takes the sessions of one person, and not those of another', async () => {
    const [mine, its] = [await identity.signIn(ana), await identity.signIn(bruno)];
    const wrong = { realm: 'operator', personId: ana.id, sessionId: its.session.id, by: ana.id } as const;
    expect(await identity.codeOf(identity.ask(endSession, wrong))).toBe('NOT_FOUND');
    await identity.ask(endSessions, { realm: 'operator', personId: ana.id, by: bruno.id });
    expect([await resolves(mine.token), await resolves(its.token)]).toEqual([false, true]);
  });

  test('of all others leaves the one that asks', async () => {
    const [one, other] = [await identity.signIn(ana), await identity.signIn(ana)];
    const all = { realm: 'operator', personId: ana.id, except: one.session.id, by: ana.id } as const;
    expect(await identity.ask(endSessions, all)).toEqual({ ended: 1 });
    expect([await resolves(one.token), await resolves(other.token)]).toEqual([true, false]);
    const { sessions } = await identity.ask(listSessions, { realm: 'operator', personId: ana.id });
    expect(sessions.map(({ id }) => id)).toEqual([one.session.id]);
  });

  test('is what suspending does, in every place, and reinstating brings none of them back', async () => {
    await identity.operator('carla');
    const { token } = await identity.signIn(bruno);
    const who = { realm: 'operator', personId: bruno.id, by: ana.id, reason: 'lost laptop' } as const;
    await identity.ask(suspendPerson, who);
    expect(await resolves(token)).toBe(false);
    await identity.database.query("update person set state = 'ACTIVE' where id = $1", [bruno.id]);
    expect(await resolves(token)).toBe(false);
  });

  test('is final: no order of requests has an ended session resolve again', async () => {
    const requests = fc.array(fc.constantFrom('resolve', 'rotate', 'end', 'wait'), { minLength: 2, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(requests, async (order) => {
        const { token: first, session } = await identity.signIn(ana);
        const tokens = [first];
        let ended = false;
        for (const request of order) {
          if (request === 'wait') identity.pass(20);
          if (request === 'rotate') identity.pass(890);
          if (request === 'end') {
            const which = { realm: 'operator', personId: ana.id, sessionId: session.id, by: ana.id } as const;
            await identity.ask(endSession, which);
            ended = true;
          }
          for (const token of tokens.slice()) {
            const resolved = await identity.resolve('operator', token).catch(() => null);
            if (ended) expect(resolved).toBeNull();
            if (resolved?.rotatedToken) tokens.push(resolved.rotatedToken);
          }
        }
      }),
      { numRuns: 15 },
    );
  });
});
