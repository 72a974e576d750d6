import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type PaymentProvider, sandboxProvider } from '@gateway/providers';
import { eventually } from '@gateway/test-kit';
import { listPayouts } from '#src/payout/read-payouts.ts';
import { askOutcome } from '#src/provider-feed/ask-outcome.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { resumePayout } from '#src/steps/resume-payout.ts';
import { request, Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterEach(async () => harness.stopSweeping());
afterAll(async () => harness[Symbol.asyncDispose]());

const sandbox = sandboxProvider({ now: () => harness.dependencies.now() });
const notFound = async () => ({ status: 'NOT_FOUND' }) as const;
/** A provider on the wire knows what it was sent, whatever our record says. */
const hasIt: PaymentProvider['getPayout'] = (lookup) => sandbox.getPayout({ ...lookup, isSent: true });

describe('a reservation in a restored database, which may have been sent in what that has forgotten', () => {
  /** The record as it was before the call; the provider and the ledger know better. */
  async function restored(getPayout: PaymentProvider['getPayout'] = hasIt) {
    const account = harness.account(10_000);
    const first = request(account);
    await expect(harness.create(first, harness.dyingAfter('debit-payout'))).rejects.toThrow();
    const [row] = await harness.rowsOf(first.externalId);
    const payout = { ...row!, accountId: account.id };
    const asked: string[] = [];
    const asking: StepsDependencies = harness.with({
      getPayout: async (lookup) => {
        asked.push(lookup.ref);
        return await getPayout(lookup);
      },
    });
    const balance = () => harness.ledger.books.balanceOf(account.id);
    return { payout, asking, asked, balance };
  }

  test('is not given back before its provider was asked twice, some time apart', async () => {
    const { payout, asking, asked, balance } = await restored(notFound);
    harness.passSeconds(8);
    harness.startSweeping(asking);
    const once = 'select 1 from payout where id = $1 and not_found_count = 1';
    await eventually(async () => expect(await harness.dependencies.database.query(once, [payout.id])).toHaveLength(1));
    expect(balance()).toBe(4_900);
    harness.passSeconds(16);
    await eventually(async () => expect(await harness.get(payout)).toMatchObject({ status: 'REJECTED' }));
    expect(balance()).toBe(10_000);
    expect(asked.filter((reference) => reference === payout.reference)).toHaveLength(2);
  });

  test('is not given back while its provider cannot be asked', async () => {
    const { payout, asking, asked, balance } = await restored(async () => ({
      status: 'UNAVAILABLE',
      cause: 'ETIMEDOUT',
    }));
    harness.startSweeping(asking);
    await eventually(() => {
      harness.passSeconds(60);
      expect(asked.length).toBeGreaterThan(3);
    });
    expect([(await harness.get(payout)).status, balance()]).toEqual(['PROCESSING', 4_900]);
  });

  test('that its provider has goes on as sent, and is paid once', async () => {
    const { payout, asking, balance } = await restored();
    harness.passSeconds(8);
    harness.startSweeping(asking);
    await eventually(async () => {
      harness.passSeconds(5);
      expect(await harness.get(payout)).toMatchObject({ status: 'PAID' });
    });
    expect(balance()).toBe(4_900);
    expect(harness.ledger.decidedFor(payout.id)).toEqual(['debit-payout', 'settle-payout']);
    expect(await harness.eventsOf(payout.id)).toEqual(['processing', 'paid']);
  });

  test('that was given back, and paid all the same, is debited again and shown, although its external_id is free', async () => {
    const { payout, asking, balance } = await restored(notFound);
    harness.startSweeping(asking);
    await eventually(async () => {
      harness.passSeconds(16);
      expect(await harness.get(payout)).toMatchObject({ status: 'REJECTED' });
    });
    const row = (await harness.dependencies.payouts.findById(payout.id))!;
    const second = await harness.create({
      ...request({ ...harness.account(0), id: payout.accountId }),
      externalId: row.externalId,
    });
    const paid = await askOutcome(harness.with({ getPayout: hasIt }), row, true);
    await resumePayout(harness.dependencies, paid!);
    expect(await harness.get(payout)).toMatchObject({ status: 'PAID' });
    expect(balance()).toBe(10_000 - 2 * 5_100);
    const page = { environment: 'test', accountId: payout.accountId, limit: 10 } as const;
    const { payouts } = await listPayouts(harness.dependencies, page);
    expect(payouts.map(({ id }) => id)).toEqual([second.payout.id, payout.id]);
  });
});
