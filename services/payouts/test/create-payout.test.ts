import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DomainError } from '@gateway/contracts/errors';
import { sandboxClabes, sandboxProvider } from '@gateway/providers';
import { eventually } from '@gateway/test-kit';
import { listPayouts } from '#src/payout/read-payouts.ts';
import { request, Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterEach(async () => harness.stopSweeping());
afterAll(async () => harness[Symbol.asyncDispose]());

describe('a new payout', () => {
  test('takes amount and fee from the balance, is PROCESSING, then PAID and settled, each published once', async () => {
    const account = harness.account(10_000);
    const { created, payout } = await harness.create(request(account));
    expect(created).toBe(true);
    expect(payout).toMatchObject({ status: 'PROCESSING', amount: 5_000, fee: 100, paidAt: null, failureReason: null });
    expect(harness.ledger.books.balanceOf(account.id)).toBe(4_900);
    harness.startSweeping();
    harness.passSeconds(1);
    await eventually(async () =>
      expect(await harness.get(payout)).toMatchObject({ status: 'PAID', e2eId: payout.e2eId }),
    );
    expect((await harness.get(payout)).paidAt).toBe('2026-03-04T05:06:08.190Z');
    expect(harness.ledger.decidedFor(payout.id)).toEqual(['debit-payout', 'settle-payout']);
    expect(harness.ledger.books.balanceOf(account.id)).toBe(4_900);
    expect(await harness.eventsOf(payout.id)).toEqual(['processing', 'paid']);
  });

  test('keeps every scalar of its metadata as it was given', async () => {
    const metadata = {
      text: 'Ação "1"',
      zero: 0,
      decimal: 19.9,
      small: 1e-7,
      large: 2 ** 53 - 1,
      yes: true,
      none: null,
    };
    const { payout } = await harness.create(request(harness.account(10_000), { metadata }));
    expect([payout.metadata, (await harness.get(payout)).metadata]).toEqual([metadata, metadata]);
  });

  test('in MXN goes to a CLABE, and comes back when there is no such account', async () => {
    const account = harness.account(20_000);
    const spei = { currency: 'MXN', paymentMethod: 'SPEI', keyType: 'clabe' } as const;
    const { payout } = await harness.create(request(account, { ...spei, key: '032180000118359719' }));
    expect(payout).toMatchObject({ status: 'PROCESSING', currency: 'MXN', keyType: 'clabe' });
    const refused = await harness.create(request(account, { ...spei, key: sandboxClabes.refuse }));
    expect(refused.payout).toMatchObject({ status: 'REJECTED', failureReason: 'invalid_account' });
    const odd = request(account, { currency: 'MXN', paymentMethod: 'PIX' });
    await expect(harness.create(odd)).rejects.toMatchObject({ code: 'CURRENCY_NOT_SUPPORTED' });
    await eventually(() => expect(harness.ledger.books.balanceOf(account.id)).toBe(14_900));
  });

  test('has the fee and the limits of its currency where the account has them for it', async () => {
    const own = {
      fees: { deposit: { fixedCents: 0, bps: 0 }, payout: { fixedCents: 800, bps: 0 } },
      payoutLimits: { perPayoutCents: 4_999, perDayCents: null },
    };
    const account = harness.account(50_000, { currencies: { MXN: own } });
    const spei = { currency: 'MXN', paymentMethod: 'SPEI', keyType: 'clabe', key: '032180000118359719' } as const;
    const limited = await harness.create(request(account, spei));
    expect(limited.payout).toMatchObject({ fee: 800, status: 'PENDING', pendingReason: 'limit' });
    const { payout } = await harness.create(request(account));
    expect(payout).toMatchObject({ fee: 100, status: 'PROCESSING' });
    const byDay = { ...own, payoutLimits: { perPayoutCents: null, perDayCents: 4_999 } };
    const daily = harness.account(50_000, { currencies: { MXN: byDay } });
    expect((await harness.create(request(daily, spei))).payout).toMatchObject({ pendingReason: 'limit' });
    expect((await harness.create(request(daily))).payout).toMatchObject({ status: 'PROCESSING' });
  });

  test('beyond the balance is refused, leaves no record, and frees its external_id', async () => {
    const account = harness.account(5_099);
    const first = request(account);
    await expect(harness.create(first)).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
    expect(await harness.rowsOf(first.externalId)).toEqual([]);
    harness.ledger.books.fund(account.id, 1);
    expect(await harness.create(first)).toMatchObject({ created: true, payout: { status: 'PROCESSING' } });
    expect(harness.ledger.books.balanceOf(account.id)).toBe(0);
  });

  test('of an account without automatic approval is PENDING, debited, and waits', async () => {
    const account = harness.account(10_000, { autoApprovePayouts: false });
    const { payout } = await harness.create(request(account));
    expect(payout.status).toBe('PENDING');
    expect(harness.ledger.books.balanceOf(account.id)).toBe(4_900);
    expect(await harness.eventsOf(payout.id)).toEqual(['pending']);
    const due = 'select 1 from payout where id = $1 and due_at is not null';
    expect(await harness.dependencies.database.query(due, [payout.id])).toEqual([]);
  });

  test('in an environment without a provider is refused and leaves nothing', async () => {
    const live = request(harness.account(10_000), { environment: 'live' });
    await expect(harness.create(live)).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE', retryAfterSec: 5 });
    expect(await harness.rowsOf(live.externalId)).toEqual([]);
  });

  test('in a currency without a rail is refused', async () => {
    const odd = request(harness.account(10_000), { currency: 'USDT' });
    await expect(harness.create(odd)).rejects.toMatchObject({ code: 'CURRENCY_NOT_SUPPORTED' });
  });

  test('is in no list until its money is reserved', async () => {
    const account = harness.account(10_000);
    const first = request(account);
    harness.ledger.hold();
    const creating = harness.create(first);
    const [row] = await eventually(async () => {
      const rows = await harness.rowsOf(first.externalId);
      expect(rows).toMatchObject([{ state: 'RESERVING' }]);
      return rows;
    });
    const page = await listPayouts(harness.dependencies, { environment: 'test', accountId: account.id, limit: 10 });
    expect(page.payouts).toEqual([]);
    harness.ledger.resume();
    expect((await creating).payout.id).toBe(row!.id);
  });
});

describe('a repeated external_id', () => {
  test('answers the record as it is, whatever the repeated body says, and debits nothing', async () => {
    const account = harness.account(10_000);
    const first = request(account);
    const { payout } = await harness.create(first);
    expect(await harness.create({ ...first, amount: 900_000 })).toEqual({ created: false, payout });
    expect(harness.ledger.books.balanceOf(account.id)).toBe(4_900);
  });

  test('raced by ten first calls makes one payout and one debit', async () => {
    const account = harness.account(100_000);
    const first = request(account);
    const answers = await Promise.all(Array.from({ length: 10 }, () => harness.create(first)));
    expect(answers.filter((answer) => answer.created)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.payout.id)).size).toBe(1);
    expect(harness.ledger.books.balanceOf(account.id)).toBe(94_900);
  });

  test('raced by five calls without the funds is refused to all of them', async () => {
    const account = harness.account(100);
    const first = request(account);
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => harness.create(first)));
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'INSUFFICIENT_FUNDS' } });
    }
    expect(await harness.rowsOf(first.externalId)).toEqual([]);
    expect(harness.ledger.books.balanceOf(account.id)).toBe(100);
  });

  test('makes the loser of a race wait until the winner has its money', async () => {
    const first = request(harness.account(10_000));
    harness.ledger.hold();
    const winner = harness.create(first);
    await eventually(async () => expect(await harness.rowsOf(first.externalId)).toHaveLength(1));
    const loser = harness.create(first);
    harness.ledger.resume();
    const [won, lost] = await Promise.all([winner, loser]);
    expect(lost).toMatchObject({ created: false, payout: { id: won.payout.id } });
  });
});

test('two payouts racing for the last real leave zero and one refusal', async () => {
  const account = harness.account(5_100);
  const answers = await Promise.allSettled([harness.create(request(account)), harness.create(request(account))]);
  expect(answers.map((answer) => answer.status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(harness.ledger.books.balanceOf(account.id)).toBe(0);
});

describe('the sandbox', () => {
  test('refuses refuse@sandbox.test at once: REJECTED, amount and fee are back', async () => {
    const account = harness.account(10_000);
    const { created, payout } = await harness.create(request(account, { key: 'refuse@sandbox.test' }));
    expect(created).toBe(true);
    expect(payout).toMatchObject({ status: 'REJECTED', failureReason: 'key_not_found' });
    expect(harness.ledger.books.balanceOf(account.id)).toBe(10_000);
    expect(await harness.eventsOf(payout.id)).toEqual(['failed']);
  });

  test('refuses owner@sandbox.test only when ownership is enforced', async () => {
    const account = harness.account(20_000);
    const key = 'owner@sandbox.test';
    const { payout: refused } = await harness.create(request(account, { key, enforceOwnership: true }));
    expect(refused).toMatchObject({ status: 'REJECTED', failureReason: 'owner_mismatch' });
    const { payout: accepted } = await harness.create(request(account, { key }));
    expect(accepted.status).toBe('PROCESSING');
  });

  test('fails fail@sandbox.test after PROCESSING: FAILED, amount and fee are back', async () => {
    const account = harness.account(10_000);
    const { payout } = await harness.create(request(account, { key: 'fail@sandbox.test' }));
    expect(payout).toMatchObject({ status: 'PROCESSING', failureReason: null });
    harness.startSweeping();
    harness.passSeconds(1);
    await eventually(async () =>
      expect(await harness.get(payout)).toMatchObject({ status: 'FAILED', failureReason: 'invalid_account' }),
    );
    expect(harness.ledger.books.balanceOf(account.id)).toBe(10_000);
    expect(await harness.eventsOf(payout.id)).toEqual(['processing', 'failed']);
  });

  test('does not answer for timeout@sandbox.test: 504 naming the payout, no refund, PAID within five seconds', async () => {
    const account = harness.account(10_000);
    const error: unknown = await harness
      .create(request(account, { key: 'timeout@sandbox.test' }))
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({ code: 'PROVIDER_TIMEOUT' });
    const key = { accountId: account.id, id: (error as DomainError).extra['payout_id']! };
    expect(await harness.get(key)).toMatchObject({ status: 'PROCESSING' });
    expect(harness.ledger.books.balanceOf(account.id)).toBe(4_900);
    harness.startSweeping();
    harness.passSeconds(4);
    await eventually(async () => expect(await harness.get(key)).toMatchObject({ status: 'PAID' }));
    expect(await harness.eventsOf(key.id)).toEqual(['processing', 'paid']);
  });

  test('holds hold@sandbox.test in PROCESSING, however often it is looked up', async () => {
    const account = harness.account(10_000);
    const { payout } = await harness.create(request(account, { key: 'hold@sandbox.test' }));
    harness.startSweeping();
    for (const lookups of [1, 2, 3]) {
      harness.passSeconds(400);
      const lookedUp = 'select 1 from payout where id = $1 and lookups = $2';
      await eventually(async () =>
        expect(await harness.dependencies.database.query(lookedUp, [payout.id, lookups])).toHaveLength(1),
      );
    }
    expect(await harness.get(payout)).toMatchObject({ status: 'PROCESSING' });
  });
});

test('a provider slower than its caller is a 504 to that caller, and its answer is recorded all the same', async () => {
  const account = harness.account(10_000);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const sandbox = sandboxProvider({ now: harness.dependencies.now });
  const slow = harness.with({
    createPayout: async (payout) => {
      await released;
      return await sandbox.createPayout(payout);
    },
  });
  const error: unknown = await harness.create(request(account), slow, 600).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'PROVIDER_TIMEOUT' });
  const key = { accountId: account.id, id: (error as DomainError).extra['payout_id']! };
  expect(await harness.get(key)).toMatchObject({ status: 'PROCESSING', e2eId: null });
  release();
  await eventually(async () => expect((await harness.get(key)).e2eId).toMatch(/^E99999999/));
});
