import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { DomainError } from '@gateway/contracts/errors';
import { type PaymentProvider, sandboxProvider } from '@gateway/providers';
import { eventually } from '@gateway/test-kit';
import { cancelPayout } from '#src/decisions/decide-payout.ts';
import { listPayouts } from '#src/payout/read-payouts.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { request, Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterEach(async () => {
  harness.ledger.answerAgain();
  await harness.stopSweeping();
});
afterAll(async () => harness[Symbol.asyncDispose]());

const sandbox = sandboxProvider({ now: () => harness.dependencies.now() });

/** Whatever becomes of it, the caller gets no answer. */
async function createAndDie(first: ReturnType<typeof request>, dependencies: StepsDependencies) {
  await expect(harness.create(first, dependencies)).rejects.toThrow();
  const [row] = await harness.rowsOf(first.externalId);
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
const neverSent = () => harness.with({ getPayout: notFound });

describe('a reservation whose caller was answered that nothing was created', () => {
  test('is given back when the answer of the ledger was lost, and the external_id is free', async () => {
    const account = harness.account(10_000);
    const first = request(account);
    harness.ledger.loseAnswers();
    await expect(harness.create(first, harness.dependencies, 900)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    const [abandoned] = await harness.rowsOf(first.externalId);
    const key = { accountId: account.id, id: abandoned!.id };
    expect(harness.ledger.books.balanceOf(account.id)).toBe(4_900);
    harness.ledger.answerAgain();
    harness.startSweeping();
    await eventually(async () => expect(await harness.rowsOf(first.externalId)).toEqual([]));
    expect(harness.ledger.books.balanceOf(account.id)).toBe(10_000);
    const { created, payout } = await harness.create(first);
    expect({ created, status: payout.status }).toEqual({ created: true, status: 'PROCESSING' });
    // What the statement refers to can be looked at; nothing else speaks of it.
    expect(await harness.get(key)).toMatchObject({ status: 'REJECTED', failureReason: 'creation_abandoned' });
    expect(await harness.eventsOf(key.id)).toEqual([]);
    const page = { environment: 'test', accountId: account.id, limit: 10 } as const;
    expect((await listPayouts(harness.dependencies, page)).payouts.map(({ id }) => id)).toEqual([payout.id]);
    const byReference = { ...page, externalId: first.externalId };
    expect((await listPayouts(harness.dependencies, byReference)).payouts.map(({ id }) => id)).toEqual([payout.id]);
  });

  test('is given back when the command reaches the ledger late', async () => {
    const account = harness.account(10_000);
    const first = request(account);
    harness.ledger.hold();
    await expect(harness.create(first, harness.dependencies, 900)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    harness.startSweeping();
    harness.ledger.resume();
    await eventually(async () => expect(await harness.rowsOf(first.externalId)).toEqual([]));
    expect(harness.ledger.books.balanceOf(account.id)).toBe(10_000);
  });

  test('is given back when its process died after the debit, and a repeated call waits for that', async () => {
    const account = harness.account(10_000);
    const first = request(account);
    const payout = await createAndDie(first, harness.dyingAfter('debit-payout'));
    expect(payout.state).toBe('RESERVING');
    expect(harness.ledger.books.balanceOf(account.id)).toBe(4_900);
    harness.startSweeping(neverSent());
    const repeated = harness.create(first);
    harness.passSeconds(8);
    await timesNotFound(payout.id, 1);
    harness.passSeconds(16);
    const { created, payout: second } = await repeated;
    expect(created).toBe(true);
    expect(second.id).not.toBe(payout.id);
    expect(harness.ledger.decidedFor(payout.id)).toEqual(['debit-payout', 'reverse-payout']);
    expect(harness.ledger.books.balanceOf(account.id)).toBe(4_900);
  });

  test('of which the ledger refused the debit leaves nothing either', async () => {
    const account = harness.account(0);
    const first = request(account);
    const payout = await createAndDie(first, harness.dyingAfter('debit-payout'));
    harness.passSeconds(8);
    harness.startSweeping(neverSent());
    await timesNotFound(payout.id, 1);
    harness.passSeconds(16);
    await eventually(async () => expect(await harness.rowsOf(first.externalId)).toEqual([]));
    expect(harness.ledger.decidedFor(payout.id)).toEqual(['debit-payout']);
  });
});

describe('a payout whose debit could not be recorded', () => {
  const routes = { 'on the wire': neverSent, 'of test mode': () => harness.dependencies };
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
    const account = harness.account(10_000);
    const first = request(account);
    const refusal = { code: 'SERVICE_UNAVAILABLE', retryAfterSec: 1 };
    await expect(harness.create(first, failingWrites(route(), 1))).rejects.toMatchObject(refusal);
    harness.startSweeping(route());
    expect(await harness.create(first, route())).toMatchObject({ created: true });
    expect(harness.ledger.books.balanceOf(account.id)).toBe(4_900);
  });

  test.each(Object.entries(routes))('at a provider %s else is 504, read at once and to its end', async (_, route) => {
    const account = harness.account(10_000);
    const first = request(account);
    const error: unknown = await harness.create(first, failingWrites(route(), 2)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'PROVIDER_TIMEOUT', extra: { payout_id: expect.any(String) as string } });
    const key = { accountId: account.id, id: (error as DomainError).extra['payout_id']! };
    expect(await harness.get(key)).toMatchObject({ status: 'PROCESSING', amount: first.amount });
    await expect(cancelPayout(harness.dependencies, { environment: 'test', ...key })).rejects.toMatchObject({
      code: 'INVALID_STATE',
      message: 'a payout that is PROCESSING (reserving) cannot be canceled',
    });
    harness.startSweeping(route());
    await eventually(async () => {
      harness.passSeconds(16);
      expect(await harness.get(key)).toMatchObject({ status: 'REJECTED' });
    });
    expect(harness.ledger.books.balanceOf(account.id)).toBe(10_000);
  });
});

describe('a payout whose process died during the call to the provider', () => {
  test('is looked up and not sent again: PAID once, never refunded', async () => {
    const account = harness.account(10_000);
    const provider = counting(dying);
    const first = request(account);
    const payout = await createAndDie(first, harness.with(provider));
    expect(payout.state).toBe('SENDING');
    const survivor = counting(sandbox.createPayout);
    harness.startSweeping(harness.with(survivor));
    harness.passSeconds(8);
    await eventually(async () => expect(await harness.get(payout)).toMatchObject({ status: 'PAID' }));
    expect({ before: provider.references, after: survivor.references }).toEqual({
      before: [payout.reference],
      after: [],
    });
    expect(harness.ledger.books.balanceOf(account.id)).toBe(4_900);
    expect(await harness.eventsOf(payout.id)).toEqual(['processing', 'paid']);
    expect(await harness.create(first)).toMatchObject({ created: false, payout: { id: payout.id } });
  });

  test('and which never arrived is sent again under its reference, once that is certain', async () => {
    const account = harness.account(10_000);
    const payout = await createAndDie(request(account), harness.with(counting(dying)));
    const survivor = counting(sandbox.createPayout);
    harness.startSweeping(harness.with({ ...survivor, getPayout: notFound }));
    for (const [index, distanceSec] of [8, 15, 60].entries()) {
      harness.passSeconds(distanceSec);
      await timesNotFound(payout.id, index + 1);
    }
    expect(survivor.references).toEqual([]);
    // Two minutes after it was not found first, long before the next growing distance has passed.
    harness.passSeconds(45);
    await eventually(() => expect(survivor.references).toEqual([payout.reference]));
    await harness.stopSweeping();
    harness.startSweeping(harness.with(survivor));
    harness.passSeconds(8);
    await eventually(async () => expect(await harness.get(payout)).toMatchObject({ status: 'PAID' }));
    expect(survivor.references).toEqual([payout.reference]);
    expect(await harness.eventsOf(payout.id)).toEqual(['processing', 'paid']);
  });

  test('stays PROCESSING when the provider may overlook what it has, however often it finds nothing', async () => {
    const account = harness.account(10_000);
    const payout = await createAndDie(request(account), harness.with(counting(dying)));
    const survivor = counting(sandbox.createPayout);
    const capabilities = { ...sandbox.capabilities, consistentLookup: false };
    harness.startSweeping(harness.with({ ...survivor, getPayout: notFound, capabilities }));
    for (const count of [1, 2, 3, 4]) {
      harness.passSeconds(1_000);
      await lookups(payout.id, count);
    }
    expect(survivor.references).toEqual([]);
    expect(await harness.get(payout)).toMatchObject({ status: 'PROCESSING' });
    expect(harness.ledger.books.balanceOf(account.id)).toBe(4_900);
  });
});

test('a payout that was provably not sent is sent later under the same reference', async () => {
  const account = harness.account(10_000);
  const away = counting(async () => ({ kind: 'not_sent', reason: 'unreachable', cause: 'ECONNREFUSED' }));
  const { payout } = await harness.create(request(account), harness.with(away));
  expect(payout.status).toBe('PROCESSING');
  const back = counting(sandbox.createPayout);
  harness.startSweeping(harness.with(back));
  harness.passSeconds(8);
  await eventually(() => expect(back.references).toEqual(away.references));
  harness.passSeconds(1);
  await eventually(async () => expect(await harness.get(payout)).toMatchObject({ status: 'PAID' }));
  expect(await harness.eventsOf(payout.id)).toEqual(['processing', 'paid']);
});

test('a provider that cannot be asked leaves the payout PROCESSING until it can', async () => {
  const account = harness.account(10_000);
  const { payout } = await harness.create(request(account));
  const unavailable = async () => ({ status: 'UNAVAILABLE', cause: 'ETIMEDOUT' }) as const;
  harness.startSweeping(harness.with({ getPayout: unavailable }));
  harness.passSeconds(1);
  await lookups(payout.id, 1);
  await harness.stopSweeping();
  expect(await harness.get(payout)).toMatchObject({ status: 'PROCESSING' });
  harness.startSweeping();
  harness.passSeconds(16);
  await eventually(async () => expect(await harness.get(payout)).toMatchObject({ status: 'PAID' }));
});

describe('a payout whose process died between the ledger and its record', () => {
  test('after the settlement becomes PAID, settled and published once', async () => {
    const account = harness.account(10_000);
    const { payout } = await harness.create(request(account));
    await dieAt(payout.id, 'settle-payout');
    expect(await harness.get(payout)).toMatchObject({ status: 'PROCESSING', paidAt: null });
    harness.startSweeping();
    harness.startSweeping();
    harness.passSeconds(9);
    await eventually(async () => expect(await harness.get(payout)).toMatchObject({ status: 'PAID' }));
    expect(harness.ledger.decidedFor(payout.id)).toEqual(['debit-payout', 'settle-payout']);
    expect(await harness.eventsOf(payout.id)).toEqual(['processing', 'paid']);
  });

  test('after the reversal becomes FAILED, refunded and published once', async () => {
    const account = harness.account(10_000);
    const { payout } = await harness.create(request(account, { key: 'fail@sandbox.test' }));
    await dieAt(payout.id, 'reverse-payout');
    expect(await harness.get(payout)).toMatchObject({ status: 'PROCESSING', failureReason: null });
    harness.startSweeping();
    harness.startSweeping();
    harness.passSeconds(9);
    await eventually(async () => expect(await harness.get(payout)).toMatchObject({ status: 'FAILED' }));
    expect(harness.ledger.decidedFor(payout.id)).toEqual(['debit-payout', 'reverse-payout']);
    expect(harness.ledger.books.balanceOf(account.id)).toBe(10_000);
    expect(await harness.eventsOf(payout.id)).toEqual(['processing', 'failed']);
  });

  test('after an immediate refusal becomes REJECTED, refunded and published once', async () => {
    const account = harness.account(10_000);
    const refused = request(account, { key: 'refuse@sandbox.test' });
    const { payout } = await harness.create(refused, harness.dyingAfter('reverse-payout'));
    expect(payout.status).toBe('PROCESSING');
    harness.startSweeping();
    harness.passSeconds(8);
    await eventually(async () => expect(await harness.get(payout)).toMatchObject({ status: 'REJECTED' }));
    expect(harness.ledger.books.balanceOf(account.id)).toBe(10_000);
    expect(await harness.eventsOf(payout.id)).toEqual(['failed']);
  });
});

/** Lets a process carry the payout on until the ledger has decided a command, and no further. */
async function dieAt(payoutId: string, kind: 'settle-payout' | 'reverse-payout') {
  harness.startSweeping(harness.dyingAfter(kind));
  harness.passSeconds(1);
  await eventually(() => expect(harness.ledger.decidedFor(payoutId)).toContain(kind));
  await harness.stopSweeping();
}

const lookups = (payoutId: string, count: number) => counted('lookups', payoutId, count);
const timesNotFound = (payoutId: string, count: number) => counted('not_found_count', payoutId, count);

async function counted(column: 'lookups' | 'not_found_count', payoutId: string, count: number) {
  const text = `select 1 from payout where id = $1 and ${column} = $2`;
  await eventually(async () =>
    expect(await harness.dependencies.database.query(text, [payoutId, count])).toHaveLength(1),
  );
}
