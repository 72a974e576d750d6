import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { DomainError } from '@gateway/contracts/errors';
import { type PaymentProvider, sandboxProvider } from '@gateway/providers';
import { eventually } from '@gateway/test-kit';
import { cancelPayout } from '#src/decisions/decide-payout.ts';
import { listPayouts } from '#src/payout/read-payouts.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { request, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterEach(async () => {
  stage.ledger.answerAgain();
  await stage.stopSweeping();
});
afterAll(async () => stage[Symbol.asyncDispose]());

const sandbox = sandboxProvider({ now: () => stage.dependencies.now() });

/** Whatever becomes of it, the caller is told nothing. */
async function createAndDie(first: ReturnType<typeof request>, dependencies: StepsDependencies) {
  await expect(stage.create(first, dependencies)).rejects.toThrow();
  const [row] = await stage.rowsOf(first.externalId);
  return { ...row!, accountId: first.account.id };
}

/** A provider that counts calls by reference; `answer` decides what they come to. */
function counting(answer: PaymentProvider['createPayout']) {
  const references: string[] = [];
  const createPayout: PaymentProvider['createPayout'] = async (payout) => {
    references.push(payout.ref);
    return await answer(payout);
  };
  return { createPayout, references };
}

const dying = async () => {
  throw new Error('the process ends here');
};
const notFound = async () => ({ status: 'NOT_FOUND' }) as const;

/** The same service at a provider that has got nothing. */
const neverSent = () => stage.with({ getPayout: notFound });

describe('a reservation whose caller was told that nothing was created', () => {
  test('is given back when the answer of the ledger was lost, and the external_id is free', async () => {
    const account = stage.account(10_000);
    const first = request(account);
    stage.ledger.loseAnswers();
    await expect(stage.create(first, stage.dependencies, 900)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const [abandoned] = await stage.rowsOf(first.externalId);
    const key = { accountId: account.id, id: abandoned!.id };
    expect(stage.ledger.books.balanceOf(account.id)).toBe(4_900);
    stage.ledger.answerAgain();
    stage.startSweeping();
    await eventually(async () => expect(await stage.rowsOf(first.externalId)).toEqual([]));
    expect(stage.ledger.books.balanceOf(account.id)).toBe(10_000);
    const { created, payout } = await stage.create(first);
    expect({ created, status: payout.status }).toEqual({ created: true, status: 'PROCESSING' });
    // What the statement refers to can be looked at; nothing else speaks of it.
    expect(await stage.get(key)).toMatchObject({ status: 'REJECTED', failureReason: 'creation_abandoned' });
    expect(await stage.eventsOf(key.id)).toEqual([]);
    const page = { environment: 'test', accountId: account.id, limit: 10 } as const;
    expect((await listPayouts(stage.dependencies, page)).payouts.map(({ id }) => id)).toEqual([payout.id]);
    const byReference = { ...page, externalId: first.externalId };
    expect((await listPayouts(stage.dependencies, byReference)).payouts.map(({ id }) => id)).toEqual([payout.id]);
  });

  test('is given back when the command reaches the ledger late', async () => {
    const account = stage.account(10_000);
    const first = request(account);
    stage.ledger.hold();
    await expect(stage.create(first, stage.dependencies, 900)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    stage.startSweeping();
    stage.ledger.resume();
    await eventually(async () => expect(await stage.rowsOf(first.externalId)).toEqual([]));
    expect(stage.ledger.books.balanceOf(account.id)).toBe(10_000);
  });

  test('is given back when its process died after the debit, and a repeated call waits for that', async () => {
    const account = stage.account(10_000);
    const first = request(account);
    const payout = await createAndDie(first, stage.dyingAfter('debit-payout'));
    expect(payout.state).toBe('RESERVING');
    expect(stage.ledger.books.balanceOf(account.id)).toBe(4_900);
    stage.startSweeping(neverSent());
    const repeated = stage.create(first);
    stage.passSeconds(8);
    await timesNotFound(payout.id, 1);
    stage.passSeconds(16);
    const { created, payout: second } = await repeated;
    expect(created).toBe(true);
    expect(second.id).not.toBe(payout.id);
    expect(stage.ledger.decidedFor(payout.id)).toEqual(['debit-payout', 'reverse-payout']);
    expect(stage.ledger.books.balanceOf(account.id)).toBe(4_900);
  });

  test('of which the ledger refused the debit leaves nothing either', async () => {
    const account = stage.account(0);
    const first = request(account);
    const payout = await createAndDie(first, stage.dyingAfter('debit-payout'));
    stage.passSeconds(8);
    stage.startSweeping(neverSent());
    await timesNotFound(payout.id, 1);
    stage.passSeconds(16);
    await eventually(async () => expect(await stage.rowsOf(first.externalId)).toEqual([]));
    expect(stage.ledger.decidedFor(payout.id)).toEqual(['debit-payout']);
  });
});

describe('a payout whose debit could not be recorded', () => {
  const routes = { 'on the wire': neverSent, 'of test mode': () => stage.dependencies };
  /** The n first writes after the debit fail. */
  const failingWrites = (dependencies: StepsDependencies, failures: number): StepsDependencies => {
    let left = failures;
    const payouts = new Proxy(dependencies.payouts, {
      get: (table, name) => {
        const member: unknown = Reflect.get(table, name);
        if (typeof member !== 'function') return member;
        if (name === 'move' && left-- > 0) return dying;
        return member.bind(table) as unknown;
      },
    });
    return { ...dependencies, payouts };
  };

  test.each(Object.entries(routes))('at a provider %s was not created when that can be seen', async (_, route) => {
    const account = stage.account(10_000);
    const first = request(account);
    const refusal = { code: 'SERVICE_UNAVAILABLE', retryAfterSec: 1 };
    await expect(stage.create(first, failingWrites(route(), 1))).rejects.toMatchObject(refusal);
    stage.startSweeping(route());
    expect(await stage.create(first, route())).toMatchObject({ created: true });
    expect(stage.ledger.books.balanceOf(account.id)).toBe(4_900);
  });

  test.each(Object.entries(routes))('at a provider %s else is 504, read at once and to its end', async (_, route) => {
    const account = stage.account(10_000);
    const first = request(account);
    const error: unknown = await stage.create(first, failingWrites(route(), 2)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'PROVIDER_TIMEOUT', extra: { payout_id: expect.any(String) as string } });
    const key = { accountId: account.id, id: (error as DomainError).extra['payout_id']! };
    expect(await stage.get(key)).toMatchObject({ status: 'PROCESSING', amount: first.amount });
    await expect(cancelPayout(stage.dependencies, { environment: 'test', ...key })).rejects.toMatchObject({
      code: 'INVALID_STATE',
      message: 'a payout that is PROCESSING (reserving) cannot be canceled',
    });
    stage.startSweeping(route());
    await eventually(async () => {
      stage.passSeconds(16);
      expect(await stage.get(key)).toMatchObject({ status: 'REJECTED' });
    });
    expect(stage.ledger.books.balanceOf(account.id)).toBe(10_000);
  });
});

describe('a payout whose process died during the call to the provider', () => {
  test('is looked up and not sent again: PAID once, never refunded', async () => {
    const account = stage.account(10_000);
    const provider = counting(dying);
    const first = request(account);
    const payout = await createAndDie(first, stage.with(provider));
    expect(payout.state).toBe('SENDING');
    const survivor = counting(sandbox.createPayout);
    stage.startSweeping(stage.with(survivor));
    stage.passSeconds(8);
    await eventually(async () => expect(await stage.get(payout)).toMatchObject({ status: 'PAID' }));
    expect({ before: provider.references, after: survivor.references }).toEqual({
      before: [payout.reference],
      after: [],
    });
    expect(stage.ledger.books.balanceOf(account.id)).toBe(4_900);
    expect(await stage.eventsOf(payout.id)).toEqual(['processing', 'paid']);
    expect(await stage.create(first)).toMatchObject({ created: false, payout: { id: payout.id } });
  });

  test('and which never arrived is sent again under its reference, once that is certain', async () => {
    const account = stage.account(10_000);
    const payout = await createAndDie(request(account), stage.with(counting(dying)));
    const survivor = counting(sandbox.createPayout);
    stage.startSweeping(stage.with({ ...survivor, getPayout: notFound }));
    for (const [index, distanceSec] of [8, 15, 60].entries()) {
      stage.passSeconds(distanceSec);
      await timesNotFound(payout.id, index + 1);
    }
    expect(survivor.references).toEqual([]);
    // Two minutes after it was not found first, long before the next growing distance has passed.
    stage.passSeconds(45);
    await eventually(() => expect(survivor.references).toEqual([payout.reference]));
    await stage.stopSweeping();
    stage.startSweeping(stage.with(survivor));
    stage.passSeconds(8);
    await eventually(async () => expect(await stage.get(payout)).toMatchObject({ status: 'PAID' }));
    expect(survivor.references).toEqual([payout.reference]);
    expect(await stage.eventsOf(payout.id)).toEqual(['processing', 'paid']);
  });

  test('stays PROCESSING when the provider may overlook what it has, however often it finds nothing', async () => {
    const account = stage.account(10_000);
    const payout = await createAndDie(request(account), stage.with(counting(dying)));
    const survivor = counting(sandbox.createPayout);
    const capabilities = { ...sandbox.capabilities, consistentLookup: false };
    stage.startSweeping(stage.with({ ...survivor, getPayout: notFound, capabilities }));
    for (const count of [1, 2, 3, 4]) {
      stage.passSeconds(1_000);
      await lookups(payout.id, count);
    }
    expect(survivor.references).toEqual([]);
    expect(await stage.get(payout)).toMatchObject({ status: 'PROCESSING' });
    expect(stage.ledger.books.balanceOf(account.id)).toBe(4_900);
  });
});

test('a payout that was provably not sent is sent later under the same reference', async () => {
  const account = stage.account(10_000);
  const away = counting(async () => ({ kind: 'not_sent', reason: 'unreachable', cause: 'ECONNREFUSED' }));
  const { payout } = await stage.create(request(account), stage.with(away));
  expect(payout.status).toBe('PROCESSING');
  const back = counting(sandbox.createPayout);
  stage.startSweeping(stage.with(back));
  stage.passSeconds(8);
  await eventually(() => expect(back.references).toEqual(away.references));
  stage.passSeconds(1);
  await eventually(async () => expect(await stage.get(payout)).toMatchObject({ status: 'PAID' }));
  expect(await stage.eventsOf(payout.id)).toEqual(['processing', 'paid']);
});

test('a provider that cannot be asked leaves the payout PROCESSING until it can', async () => {
  const account = stage.account(10_000);
  const { payout } = await stage.create(request(account));
  const unavailable = async () => ({ status: 'UNAVAILABLE', cause: 'ETIMEDOUT' }) as const;
  stage.startSweeping(stage.with({ getPayout: unavailable }));
  stage.passSeconds(1);
  await lookups(payout.id, 1);
  await stage.stopSweeping();
  expect(await stage.get(payout)).toMatchObject({ status: 'PROCESSING' });
  stage.startSweeping();
  stage.passSeconds(16);
  await eventually(async () => expect(await stage.get(payout)).toMatchObject({ status: 'PAID' }));
});

describe('a payout whose process died between the ledger and its record', () => {
  test('after the settlement becomes PAID, settled and said once', async () => {
    const account = stage.account(10_000);
    const { payout } = await stage.create(request(account));
    await dieAt(payout.id, 'settle-payout');
    expect(await stage.get(payout)).toMatchObject({ status: 'PROCESSING', paidAt: null });
    stage.startSweeping();
    stage.startSweeping();
    stage.passSeconds(9);
    await eventually(async () => expect(await stage.get(payout)).toMatchObject({ status: 'PAID' }));
    expect(stage.ledger.decidedFor(payout.id)).toEqual(['debit-payout', 'settle-payout']);
    expect(await stage.eventsOf(payout.id)).toEqual(['processing', 'paid']);
  });

  test('after the reversal becomes FAILED, refunded and said once', async () => {
    const account = stage.account(10_000);
    const { payout } = await stage.create(request(account, { key: 'fail@sandbox.test' }));
    await dieAt(payout.id, 'reverse-payout');
    expect(await stage.get(payout)).toMatchObject({ status: 'PROCESSING', failureReason: null });
    stage.startSweeping();
    stage.startSweeping();
    stage.passSeconds(9);
    await eventually(async () => expect(await stage.get(payout)).toMatchObject({ status: 'FAILED' }));
    expect(stage.ledger.decidedFor(payout.id)).toEqual(['debit-payout', 'reverse-payout']);
    expect(stage.ledger.books.balanceOf(account.id)).toBe(10_000);
    expect(await stage.eventsOf(payout.id)).toEqual(['processing', 'failed']);
  });

  test('after an immediate refusal becomes REJECTED, refunded and said once', async () => {
    const account = stage.account(10_000);
    const refused = request(account, { key: 'refuse@sandbox.test' });
    const { payout } = await stage.create(refused, stage.dyingAfter('reverse-payout'));
    expect(payout.status).toBe('PROCESSING');
    stage.startSweeping();
    stage.passSeconds(8);
    await eventually(async () => expect(await stage.get(payout)).toMatchObject({ status: 'REJECTED' }));
    expect(stage.ledger.books.balanceOf(account.id)).toBe(10_000);
    expect(await stage.eventsOf(payout.id)).toEqual(['failed']);
  });
});

/** Lets a process carry the payout on until the ledger has decided a command, and no further. */
async function dieAt(payoutId: string, kind: 'settle-payout' | 'reverse-payout') {
  stage.startSweeping(stage.dyingAfter(kind));
  stage.passSeconds(1);
  await eventually(() => expect(stage.ledger.decidedFor(payoutId)).toContain(kind));
  await stage.stopSweeping();
}

const lookups = (payoutId: string, count: number) => counted('lookups', payoutId, count);
const timesNotFound = (payoutId: string, count: number) => counted('not_found_count', payoutId, count);

async function counted(column: 'lookups' | 'not_found_count', payoutId: string, count: number) {
  const text = `select 1 from payout where id = $1 and ${column} = $2`;
  await eventually(async () =>
    expect(await stage.dependencies.database.query(text, [payoutId, count])).toHaveLength(1),
  );
}
