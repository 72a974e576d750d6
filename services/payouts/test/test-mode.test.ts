import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { DomainError } from '@gateway/contracts/errors';
import type { Payout } from '@gateway/contracts/payouts';
import { newId } from '@gateway/money';
import { eventually } from '@gateway/test-kit';
import { cancelPayout } from '#src/decisions/decide-payout.ts';
import { simulateApproval } from '#src/decisions/simulate-approval.ts';
import { simulateSettlement } from '#src/decisions/simulate-settlement.ts';
import type { PayoutTable } from '#src/payout/payout-table.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { LeasedPayouts } from '#src/steps/leased-payouts.ts';
import { resumePayout } from '#src/steps/resume-payout.ts';
import { request, Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterEach(async () => harness.stopSweeping());
afterAll(async () => harness[Symbol.asyncDispose]());

const funds = 10_000;
const outcomes = [
  ['ana@example.com', 'PROCESSING', 'PAID', ['processing', 'paid']],
  ['fail@sandbox.test', 'PROCESSING', 'FAILED', ['processing', 'failed']],
  ['refuse@sandbox.test', 'REJECTED', 'REJECTED', ['failed']],
  ['timeout@sandbox.test', '504', 'PAID', ['processing', 'paid']],
] as const;

/** The same, in a process that ends before or after its n-th step, a write or a decision of the ledger. */
function endingAfter(steps: number, dependencies: StepsDependencies) {
  let left = steps;
  const step = () => {
    if (--left < 0) throw new Error('the process ends here');
  };
  const mortal = <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) => {
    return async (...args: Args): Promise<Result> => {
      step();
      const result = await work(...args);
      step();
      return result;
    };
  };
  const payouts = new Proxy<PayoutTable>(dependencies.payouts, {
    get: (table, name) => {
      const member: unknown = Reflect.get(table, name);
      return typeof member === 'function' ? mortal(member.bind(table) as () => Promise<unknown>) : member;
    },
  });
  return { dying: { ...dependencies, payouts, askLedger: mortal(dependencies.askLedger) }, ended: () => left < 0 };
}

const rowOf = async ({ id }: Payout) => (await harness.dependencies.payouts.findById(id))!;
const settle = async ({ accountId, id }: Payout, result: 'paid' | 'failed') =>
  (await simulateSettlement(testMode(), { environment: 'test', accountId, id, result })).payout;

/** As `sandboxRoute`: what the sandbox does not know now, it never will. */
function testMode(): StepsDependencies {
  const [route] = harness.dependencies.payoutRoutes.test;
  const sandbox = { ...route!, neverArrived: { lookups: 1, afterMs: 0 } };
  return { ...harness.dependencies, payoutRoutes: { test: [sandbox], live: [] } };
}

describe('a payout of test mode', () => {
  test.each(outcomes)('%s is %s, then %s, each published once', async (key, first, last, events) => {
    const account = harness.account(funds);
    const wanted = request(account, { key });
    const answer = await harness.create(wanted, testMode()).then(
      ({ payout }) => payout.status,
      (error: unknown) => ((error as DomainError).code === 'PROVIDER_TIMEOUT' ? '504' : error),
    );
    expect(answer).toBe(first);
    const [row] = await harness.rowsOf(wanted.externalId);
    harness.startSweeping(testMode());
    harness.passSeconds(5);
    const payout = { accountId: account.id, id: row!.id };
    await eventually(async () => expect((await harness.get(payout)).status).toBe(last));
    expect(await harness.eventsOf(row!.id)).toEqual(events);
    expect(harness.ledger.books.balanceOf(account.id)).toBe(last === 'PAID' ? 4_900 : funds);
  });

  test.each(outcomes)('%s whose process ends between any two steps is debited once or not at all', async (key) => {
    let ends = 0;
    for (let steps = 0; ; steps++) {
      const account = harness.account(funds);
      const wanted = request(account, { key });
      const { dying, ended } = endingAfter(steps, testMode());
      await harness.create(wanted, dying, 1_000).catch(() => undefined);
      harness.startSweeping(testMode());
      harness.passSeconds(30);
      const states = await eventually(async () => {
        harness.passSeconds(1);
        const rows = await harness.rowsOf(wanted.externalId);
        for (const { state } of rows) expect(['PAID', 'FAILED', 'REJECTED']).toContain(state);
        return rows.map(({ state }) => state);
      });
      await harness.stopSweeping();
      expect(harness.ledger.books.balanceOf(account.id)).toBe(states.includes('PAID') ? 4_900 : funds);
      if (!ended()) break;
      ends++;
    }
    expect(ends).toBeGreaterThan(3);
  });

  test('what the ledger has settled was paid, also when it is given up before that is on record', async () => {
    const account = harness.account(funds);
    const { payout } = await harness.create(request(account), testMode());
    const askLedger = harness.dyingAfter('settle-payout').askLedger;
    harness.passSeconds(1);
    await expect(resumePayout({ ...testMode(), askLedger }, await rowOf(payout))).rejects.toThrow();
    expect((await rowOf(payout)).state).toBe('SETTLING');
    await expect(settle(payout, 'failed')).rejects.toMatchObject({ code: 'INVALID_STATE' });
    expect(await harness.get(payout)).toMatchObject({ status: 'PAID', failureReason: null });
    expect(harness.ledger.books.balanceOf(account.id)).toBe(4_900);
    expect(await harness.eventsOf(payout.id)).toEqual(['processing', 'paid']);
  });

  test('what was given up before the ledger heard of its settlement is FAILED, and may be paid later', async () => {
    const account = harness.account(funds);
    const { payout } = await harness.create(request(account), testMode());
    const before = await rowOf(payout);
    harness.passSeconds(1);
    expect(await settle(payout, 'failed')).toMatchObject({ status: 'FAILED' });
    await resumePayout(testMode(), before);
    expect(await harness.get(payout)).toMatchObject({ status: 'FAILED' });
    expect(harness.ledger.books.balanceOf(account.id)).toBe(funds);
    expect(await settle(payout, 'paid')).toMatchObject({ status: 'PAID' });
    expect(harness.ledger.books.balanceOf(account.id)).toBe(4_900);
    expect(await harness.eventsOf(payout.id)).toEqual(['processing', 'failed', 'paid']);
  });

  test('that waits for approval goes its way once it is approved, twice at once too, and not after it was canceled', async () => {
    const account = harness.account(funds);
    const { payout } = await harness.create(request(account, { key: 'approve@sandbox.test' }), testMode());
    expect(payout.status).toBe('PENDING');
    const by = { environment: 'test', accountId: payout.accountId, id: payout.id } as const;
    const approvals = await Promise.all([simulateApproval(testMode(), by), simulateApproval(testMode(), by)]);
    expect(approvals.map(({ payout: { status } }) => status)).not.toContain('PENDING');
    harness.startSweeping(testMode());
    harness.passSeconds(5);
    await eventually(async () => expect((await harness.get(payout)).status).toBe('PAID'));
    expect(await simulateApproval(testMode(), by)).toMatchObject({ payout: { status: 'PAID' } });
    expect(await harness.eventsOf(payout.id)).toEqual(['pending', 'processing', 'paid']);
    expect(harness.ledger.books.balanceOf(account.id)).toBe(4_900);

    const { payout: other } = await harness.create(
      request(account, { key: 'approve@sandbox.test', amount: 1_000 }),
      testMode(),
    );
    const canceled = { ...by, id: other.id };
    await cancelPayout(testMode(), canceled);
    await expect(simulateApproval(testMode(), canceled)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    await expect(simulateApproval(testMode(), { ...by, accountId: newId('account') })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('takes its next step in the process that sent it, while the table has it due much later', async () => {
    const account = harness.account(funds);
    const { now, payouts, logger } = testMode();
    await using leased = new LeasedPayouts({
      unchanged: (some) => payouts.unchanged(some),
      resume: async (payout) => {
        harness.passSeconds(1);
        await resumePayout(testMode(), payout);
      },
      logger,
    });
    const { payout } = await harness.create(request(account), { ...testMode(), leased });
    expect((await rowOf(payout)).dueAt!.getTime()).toBeGreaterThan(now().getTime() + 5_000);
    await eventually(async () => expect((await harness.get(payout)).status).toBe('PAID'));
    expect(harness.ledger.decidedFor(payout.id)).toEqual(['debit-payout', 'settle-payout']);
  });

  test('that has gone on without the process that leased it is not looked up by it', async () => {
    const account = harness.account(funds);
    const { payout } = await harness.create(request(account));
    const asSent = await rowOf(payout);
    expect((await harness.dependencies.payouts.unchanged([asSent])).map(({ id }) => id)).toEqual([payout.id]);
    await settle(payout, 'paid');
    expect(await harness.dependencies.payouts.unchanged([asSent])).toEqual([]);
  });
});
