import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Payout } from '@gateway/contracts/payouts';
import { newId } from '@gateway/money';
import { eventually } from '@gateway/test-kit';
import { resolvePayout } from '#src/decisions/resolve-payout.ts';
import { simulateSettlement } from '#src/decisions/simulate-settlement.ts';
import { redebitCommand, reverseCommand } from '#src/settlement/ledger-commands.ts';
import { getPayoutsInFlight, listOperatorPayouts } from '#src/payout/read-payouts.ts';
import { request, resolutionOf, Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterEach(async () => harness.stopSweeping());
afterAll(async () => harness[Symbol.asyncDispose]());

async function held(balance = 10_000) {
  const account = harness.account(balance);
  return { account, ...(await harness.create(request(account, { key: 'hold@sandbox.test' }))) };
}
const settle = async ({ accountId, id }: Payout, result: 'paid' | 'failed' | 'returned', amount?: number) =>
  (await simulateSettlement(harness.dependencies, { environment: 'test', accountId, id, result, amount })).payout;

describe('a held payout settled by hand', () => {
  test('as paid is PAID, settled and published once, however often it is settled', async () => {
    const { account, payout } = await held();
    const [paid, again] = await Promise.all([settle(payout, 'paid'), settle(payout, 'paid')]);
    expect([paid.status, again.status, paid.e2eId]).toEqual(['PAID', 'PAID', payout.e2eId]);
    expect(await settle(payout, 'paid')).toEqual(paid);
    expect(harness.ledger.decidedFor(payout.id)).toEqual(['debit-payout', 'settle-payout']);
    expect(await harness.eventsOf(payout.id)).toEqual(['processing', 'paid']);
    expect(harness.ledger.books.balanceOf(account.id)).toBe(4_900);
    await expect(settle(payout, 'failed')).rejects.toMatchObject({ code: 'INVALID_STATE' });
  });

  test('is on its way between the ledger and the provider until it is settled, and so is what comes back of it', async () => {
    const bounds = async () => {
      const { inFlight } = await getPayoutsInFlight(harness.dependencies, 'test');
      const total = (bound: 'atLeast' | 'atMost') => inFlight.reduce((sum, money) => sum + money[bound], 0);
      return [total('atLeast'), total('atMost')] as const;
    };
    const [least, most] = await bounds();
    const { payout } = await held();
    expect(await bounds()).toEqual([least - 5_000, most]);
    await settle(payout, 'paid');
    expect(await bounds()).toEqual([least, most]);
    const { environment, accountId, id } = payout;
    const back = { environment, accountId, id, result: 'returned' } as const;
    await simulateSettlement(harness.dyingAfter('return-payout'), { ...back, environment: 'test' });
    expect(await bounds()).toEqual([least, most + 5_000]);
    harness.startSweeping();
    harness.passSeconds(10);
    await eventually(async () => expect(await bounds()).toEqual([least, most]));
  });

  test('as failed is FAILED and amount and fee are back, once', async () => {
    const { account, payout } = await held();
    expect(await settle(payout, 'failed')).toMatchObject({ status: 'FAILED', failureReason: 'settlement_failed' });
    expect(await settle(payout, 'failed')).toMatchObject({ status: 'FAILED' });
    expect(harness.ledger.books.balanceOf(account.id)).toBe(10_000);
    expect(await harness.eventsOf(payout.id)).toEqual(['processing', 'failed']);
    await expect(settle(payout, 'returned')).rejects.toMatchObject({ code: 'INVALID_STATE' });
  });

  test('as returned stays PAID, its amount is in the balance, and it is not returned twice', async () => {
    const { account, payout } = await held();
    expect(await settle(payout, 'returned')).toMatchObject({ status: 'PAID', returned: 5_000 });
    expect(await settle(payout, 'returned')).toMatchObject({ status: 'PAID', returned: 5_000 });
    expect(harness.ledger.books.balanceOf(account.id)).toBe(9_900);
    expect(await harness.eventsOf(payout.id)).toEqual(['processing', 'paid', 'returned']);
  });

  test('comes back in parts that never exceed it', async () => {
    const { account, payout } = await held();
    expect(await settle(payout, 'returned', 2_000)).toMatchObject({ returned: 2_000 });
    await expect(settle(payout, 'returned', 3_001)).rejects.toMatchObject({ details: [{ path: 'amount_cents' }] });
    expect(await settle(payout, 'returned', 3_000)).toMatchObject({ returned: 5_000 });
    expect(harness.ledger.books.balanceOf(account.id)).toBe(9_900);
    expect(await harness.eventsOf(payout.id)).toEqual(['processing', 'paid', 'returned', 'returned']);
    const parts = await harness.publishedReturnsOf(payout.id);
    expect(parts).toMatchObject([
      { returned: 2_000, return: { id: expect.stringMatching(/^ret_/) as string, amount: 2_000 } },
      { returned: 5_000, return: { id: expect.stringMatching(/^ret_/) as string, amount: 3_000 } },
    ]);
    expect(parts[0]!.return.id).not.toBe(parts[1]!.return.id);
  });

  test('whose process died between the ledger and its record has its return credited once', async () => {
    const { account, payout } = await held();
    await settle(payout, 'paid');
    const dying = harness.dyingAfter('return-payout');
    const key = { environment: 'test', accountId: account.id, id: payout.id, result: 'returned' } as const;
    expect((await simulateSettlement(dying, key)).payout.returned).toBe(0);
    harness.startSweeping();
    harness.passSeconds(10);
    await eventually(async () => expect(await harness.get(payout)).toMatchObject({ returned: 5_000 }));
    expect(harness.ledger.books.balanceOf(account.id)).toBe(9_900);
    expect(await harness.eventsOf(payout.id)).toEqual(['processing', 'paid', 'returned']);
  });

  test('is settled even where its provider has not answered', async () => {
    const account = harness.account(10_000);
    const first = request(account, { key: 'timeout@sandbox.test' });
    await expect(harness.create(first)).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT' });
    const { payout } = await harness.create(first);
    expect((await settle(payout, 'paid')).e2eId).toMatch(/^E99999999/);
  });

  test('cannot be settled while it waits for approval, or after it was refused', async () => {
    const waiting = await harness.create(request(harness.account(10_000, { autoApprovePayouts: false })));
    await expect(settle(waiting.payout, 'paid')).rejects.toMatchObject({ code: 'INVALID_STATE' });
    const refused = await harness.create(request(harness.account(10_000), { key: 'refuse@sandbox.test' }));
    await expect(settle(refused.payout, 'paid')).rejects.toMatchObject({ code: 'INVALID_STATE' });
  });
});

describe('a payout paid after it had failed', () => {
  test('is debited again and PAID', async () => {
    const { account, payout } = await held();
    await settle(payout, 'failed');
    expect(await settle(payout, 'paid')).toMatchObject({ status: 'PAID', failureReason: null });
    expect(harness.ledger.books.balanceOf(account.id)).toBe(4_900);
    expect(harness.ledger.decidedFor(payout.id)).toEqual(['debit-payout', 'reverse-payout', 'redebit-payout']);
    expect(await harness.eventsOf(payout.id)).toEqual(['processing', 'failed', 'paid']);
  });

  test('is PAID whatever the balance holds, and what it lacks is taken before any new payout', async () => {
    const { account, payout } = await held();
    await settle(payout, 'failed');
    harness.ledger.books.fund(account.id, -9_000);
    expect(await settle(payout, 'paid')).toMatchObject({ status: 'PAID' });
    for (let round = 0; round < 4; round++) {
      harness.ledger.books.fund(account.id, 1_000);
      const wanted = request(account, { amount: 500 });
      await expect(harness.create(wanted)).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
    }
    harness.ledger.books.fund(account.id, 1_000);
    expect((await harness.create(request(account, { amount: 500 }))).payout.status).toBe('PROCESSING');
    expect(harness.ledger.books.balanceOf(account.id)).toBe(300);
  });

  test('that was debited again before there was one command for it is settled, and not debited a third time', async () => {
    const { account, payout } = await held();
    await settle(payout, 'failed');
    const row = (await harness.dependencies.payouts.findById(payout.id))!;
    const { environment, accountId, currency, amount, fee, id: payoutId } = row;
    const again = {
      environment,
      accountId,
      currency,
      amount,
      fee,
      payoutId,
      id: `debit-payout:${row.id}:again-1`,
    };
    await harness.dependencies.askLedger({ kind: 'debit-payout', ...again }, 5_000);
    expect(await settle(payout, 'paid')).toMatchObject({ status: 'PAID' });
    expect(harness.ledger.books.balanceOf(account.id)).toBe(4_900);
    expect(harness.ledger.decidedFor(payout.id).slice(2)).toEqual(['debit-payout', 'redebit-payout', 'settle-payout']);
  });
});

describe('a payout that the ledger has given back, which a restored database has forgotten,', () => {
  test('is debited again where it is paid, however often that is asked', async () => {
    const { account, payout } = await held();
    const row = (await harness.dependencies.payouts.findById(payout.id))!;
    await harness.dependencies.askLedger(reverseCommand(row), 5_000);
    expect(harness.ledger.books.balanceOf(account.id)).toBe(10_000);
    const answers = await Promise.all([settle(payout, 'paid'), settle(payout, 'paid')]);
    expect(answers).toMatchObject([{ status: 'PAID' }, { status: 'PAID' }]);
    expect(harness.ledger.books.balanceOf(account.id)).toBe(4_900);
  });

  test('and has debited again since is PAID, and not debited a third time', async () => {
    const { account, payout } = await held();
    const row = (await harness.dependencies.payouts.findById(payout.id))!;
    for (const command of [reverseCommand(row), redebitCommand(row)]) {
      await harness.dependencies.askLedger(command, 5_000);
    }
    expect(await settle(payout, 'paid')).toMatchObject({ status: 'PAID' });
    expect(harness.ledger.books.balanceOf(account.id)).toBe(4_900);
  });
});

describe('a payout whose outcome is unknown', () => {
  const resolve = (id: string, outcome: 'paid' | 'failed', approvalId?: string) =>
    resolvePayout(harness.dependencies, resolutionOf(id, outcome, approvalId));

  test('is in the operators’ queue once the growing distances are through', async () => {
    const { payout } = await held();
    const queued = async () => {
      const { payouts } = await listOperatorPayouts(harness.dependencies, { limit: 50, attention: true });
      return payouts.some(({ id }) => id === payout.id);
    };
    harness.startSweeping();
    for (const [index, seconds] of [5, 15, 60, 300].entries()) {
      expect(await queued()).toBe(false);
      harness.passSeconds(seconds);
      await eventually(async () =>
        expect(
          await harness.dependencies.database.query('select 1 from payout where id = $1 and lookups = $2', [
            payout.id,
            index + 1,
          ]),
        ).toHaveLength(1),
      );
    }
    harness.passSeconds(900);
    await eventually(async () => expect(await queued()).toBe(true));
    expect(await harness.get(payout)).toMatchObject({ status: 'PROCESSING' });
    await settle(payout, 'paid');
    expect(await queued()).toBe(false);
  });

  test.each([
    ['paid', 'PAID', 4_900, ['processing', 'paid']],
    ['failed', 'FAILED', 10_000, ['processing', 'failed']],
  ] as const)(
    'is %s when two operators decide so, once however often that is sent',
    async (outcome, status, left, events) => {
      const { account, payout } = await held();
      const approvalId = newId('approval');
      const answers = await Promise.all([
        resolve(payout.id, outcome, approvalId),
        resolve(payout.id, outcome, approvalId),
      ]);
      const applied = await resolve(payout.id, outcome, approvalId);
      expect(answers.map(({ before }) => before.status)).toContain('PROCESSING');
      expect(applied.payout).toMatchObject({ status });
      expect(applied.payout.resolution).toMatchObject({ approvalId, proposedBy: 'ana', confirmedBy: 'bruno' });
      expect(harness.ledger.books.balanceOf(account.id)).toBe(left);
      expect(await harness.eventsOf(payout.id)).toEqual(events);
      await expect(resolve(payout.id, outcome)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    },
  );

  test('is not resolved by one operator who confirms the own proposal, nor without a proposal', async () => {
    const { account, payout } = await held();
    const { proposal, ...word } = resolutionOf(payout.id, 'failed');
    for (const alone of [word, { ...word, proposal: { ...proposal, operator: word.operator } }]) {
      await expect(resolvePayout(harness.dependencies, alone)).rejects.toMatchObject({
        code: 'SECOND_PERSON_REQUIRED',
      });
    }
    expect(await harness.get(payout)).toMatchObject({ status: 'PROCESSING' });
    expect(harness.ledger.books.balanceOf(account.id)).toBe(4_900);
  });
});
