import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type PaymentProvider, type PayoutState, sandboxProvider } from '@gateway/providers';
import { asked as answered } from '@gateway/providers/testing';
import { eventually } from '@gateway/test-kit';
import { approvePayout, cancelPayout, refusePayout } from '#src/decisions/decide-payout.ts';
import { listPayouts } from '#src/payout/read-payouts.ts';
import { askOutcome } from '#src/provider-feed/ask-outcome.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { resumePayout } from '#src/steps/resume-payout.ts';
import { request, Harness } from './harness.ts';
import { twoProviders } from './two-providers.ts';
import { underWay } from './under-way.ts';

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

describe('a payout that was waiting to be sent when the database it is restored from was copied', () => {
  /** Approved in what is restored; in what that has forgotten, the second provider may have been given it. */
  async function restored(ofSecond: { state: PayoutState }) {
    const providers = twoProviders(harness, []);
    const [first, second] = providers.dependencies.payoutRoutes.test;
    const asking = async (): Promise<PayoutState> => ofSecond.state;
    const routes = [first!, { ...second!, provider: { ...second!.provider, getPayout: asking } }];
    const startedAt = new Date(harness.dependencies.now().getTime() + 3_600_000);
    const dependencies: StepsDependencies = {
      ...providers.dependencies,
      payoutRoutes: { test: routes, live: [] },
      rememberedSince: async () => startedAt,
    };
    const account = harness.account(10_000, { autoApprovePayouts: false });
    const { payout } = await harness.create(request(account), dependencies);
    await approvePayout(dependencies, { id: payout.id, operator: 'ana' });
    const found = async () => (await harness.dependencies.payouts.findById(payout.id))!;
    const resume = async () => await resumePayout(dependencies, await found());
    const balance = () => harness.ledger.books.balanceOf(account.id);
    return { ...providers, dependencies, payout, found, resume, balance };
  }
  const notKnown: PayoutState = { status: 'NOT_FOUND' };
  const unavailable: PayoutState = { status: 'UNAVAILABLE', cause: 'ETIMEDOUT' };

  test('is not sent where another provider has it, and is paid once', async () => {
    const ofSecond: { state: PayoutState } = { state: { status: 'PROCESSING', providerRef: 'its id' } };
    const { payout, found, resume, calls, balance } = await restored(ofSecond);
    await Promise.all([resume(), resume()]);
    expect(await found()).toMatchObject({ state: 'PROCESSING', provider: 'second' });
    const paidAt = harness.dependencies.now();
    ofSecond.state = answered({ status: 'PAID', providerRef: 'its id', e2eId: 'E1', paidAt });
    await resume();
    expect(await harness.get(payout)).toMatchObject({ status: 'PAID' });
    expect([calls, balance()]).toEqual([[], 4_900]);
    expect(await harness.eventsOf(payout.id)).toEqual(['pending', 'processing', 'paid']);
  });

  test('is not sent before the other provider has answered, is in the operators’ queue meanwhile, and is sent once then', async () => {
    const ofSecond: { state: PayoutState } = { state: unavailable };
    const { dependencies, found, resume, callsFor, payout, calls } = await restored(ofSecond);
    for (let round = 0; round < 3; round++) {
      await Promise.all([resume(), resume()]);
      harness.passSeconds(400);
    }
    expect(await found()).toMatchObject({ state: 'SENDING', attentionReason: 'no_provider' });
    const refusing = refusePayout(dependencies, { id: payout.id, operator: 'ana', reason: null });
    await expect(refusing).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(calls).toEqual([]);
    ofSecond.state = notKnown;
    await Promise.all([resume(), resume()]);
    expect(await callsFor(payout)).toEqual(['first']);
    expect(await found()).toMatchObject({ state: 'PROCESSING', provider: 'first', attentionReason: null });
  });

  test('is sent without a question where its last call is younger than the database’s start', async () => {
    const { dependencies, found, callsFor, payout } = await restored({ state: unavailable });
    const younger = { ...dependencies, rememberedSince: async () => new Date(0) };
    await resumePayout(younger, await found());
    expect(await callsFor(payout)).toEqual(['first']);
  });

  function failingFirst(dependencies: StepsDependencies): StepsDependencies {
    const [first, second] = dependencies.payoutRoutes.test;
    const failing: PaymentProvider = {
      ...first!.provider,
      getPayout: async () =>
        answered({ status: 'FAILED', providerRef: 'its id', code: 'provider_balance', message: 'none' }),
    };
    return { ...dependencies, payoutRoutes: { test: [{ ...first!, provider: failing }, second!], live: [] } };
  }

  test.each([
    ['before it is sent', 'SENDING'],
    ['after it was sent', 'PROCESSING'],
  ])('and is reported as failed %s is not given back where another provider has it', async (_when, state) => {
    const ofSecond: { state: PayoutState } = { state: notKnown };
    const { dependencies, found, resume, balance } = await restored(ofSecond);
    if (state === 'PROCESSING') await resume();
    const failed = failingFirst(dependencies);
    ofSecond.state = unavailable;
    await askOutcome(failed, await found(), true);
    expect([(await found()).state, balance()]).toEqual([state, 4_900]);
    ofSecond.state = answered({ status: 'PAID', providerRef: 'i', e2eId: 'E2', paidAt: harness.dependencies.now() });
    await resumePayout(failed, await found());
    await resumePayout(failed, await found());
    expect(await found()).toMatchObject({ state: 'PAID', provider: 'second' });
    expect(balance()).toBe(4_900);
  });

  test('and was refused when it was sent again has no refusal on record once another provider has it', async () => {
    const ofSecond: { state: PayoutState } = { state: notKnown };
    const { dependencies, payout, found, resume } = await restored(ofSecond);
    await resume();
    await dependencies.database.query(
      `update payout set reversal = 'REJECTED', failure_reason = 'provider_balance', provider_message = 'none',
         provider_ref = null, version = version + 1 where id = $1`,
      [payout.id],
    );
    ofSecond.state = { status: 'PROCESSING', providerRef: 'its id' };
    await askOutcome(failingFirst(dependencies), await found(), true);
    const held = { provider: 'second', reversal: null, failureReason: null, providerMessage: null };
    expect(await found()).toMatchObject({ state: 'PROCESSING', ...held });
  });
});

describe('a payout that waited for an approval when the database it is restored from was copied', () => {
  /** What its own provider answers; in what the database has forgotten, it may have been approved and sent. */
  async function restored(ofIts: { state: PayoutState }) {
    const startedAt = new Date(harness.dependencies.now().getTime() + 3_600_000);
    const asking = harness.with({ getPayout: async () => ofIts.state });
    const dependencies: StepsDependencies = { ...asking, rememberedSince: async () => startedAt };
    const account = harness.account(10_000, { autoApprovePayouts: false });
    const { payout } = await harness.create(request(account), dependencies);
    const { accountId, id } = payout;
    const cancel = () => cancelPayout(dependencies, { environment: 'test', accountId, id });
    const found = async () => (await harness.dependencies.payouts.findById(id))!;
    const balance = () => harness.ledger.books.balanceOf(account.id);
    return { dependencies, payout, cancel, found, balance };
  }

  test('is canceled once its provider has answered that it does not have it, and not before', async () => {
    const ofIts: { state: PayoutState } = { state: { status: 'UNAVAILABLE', cause: 'ETIMEDOUT' } };
    const { dependencies, payout, cancel, found, balance } = await restored(ofIts);
    await expect(cancel()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const refusing = refusePayout(dependencies, { id: payout.id, operator: 'ana', reason: null });
    await expect(refusing).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect([(await found()).state, balance()]).toEqual(['PENDING', 4_900]);
    ofIts.state = { status: 'NOT_FOUND' };
    expect((await cancel()).payout).toMatchObject({ status: 'REJECTED', failureReason: 'canceled_by_merchant' });
    expect(balance()).toBe(10_000);
  });

  test('and that its provider has is not canceled: it goes on as sent, and is paid once', async () => {
    const ofIts: { state: PayoutState } = { state: { status: 'PROCESSING', providerRef: 'its id' } };
    const { dependencies, payout, cancel, found, balance } = await restored(ofIts);
    const invalid = { status: 'rejected', reason: { code: 'INVALID_STATE' } };
    expect(await Promise.allSettled([cancel(), cancel()])).toMatchObject([invalid, invalid]);
    expect(await found()).toMatchObject({ state: 'PROCESSING', reversal: null });
    const paidAt = harness.dependencies.now();
    ofIts.state = answered({ status: 'PAID', providerRef: 'its id', e2eId: 'E1', paidAt });
    await resumePayout(dependencies, await found());
    expect([(await found()).state, balance()]).toEqual(['PAID', 4_900]);
    expect(await harness.eventsOf(payout.id)).toEqual(['pending', 'processing', 'paid']);
    expect(harness.ledger.decidedFor(payout.id)).toEqual(['debit-payout', 'settle-payout']);
  });

  test('and was canceled in live mode is asked about on, as one that was sent', async () => {
    const { live, payout, found } = await underWay(harness);
    await harness.dependencies.database.query(
      `update payout set state = 'PENDING', sent_at = null, due_at = null, provider_ref = null, call_started_at = null,
         processing_at = null, version = version + 1 where id = $1`,
      [payout.id],
    );
    const notThere: PaymentProvider['getPayout'] = async () => ({ status: 'NOT_FOUND' });
    const routes = live.payoutRoutes.live.map((route) => ({
      ...route,
      provider: { ...route.provider, getPayout: notThere },
    }));
    const startedAt = new Date(harness.dependencies.now().getTime() + 3_600_000);
    const payoutRoutes = { test: [], live: routes };
    const dependencies: StepsDependencies = { ...live, payoutRoutes, rememberedSince: async () => startedAt };
    await refusePayout(dependencies, { id: payout.id, operator: 'ana', reason: null });
    const dayLater = new Date(harness.dependencies.now().getTime() + 86_400_000);
    expect(await found()).toMatchObject({ state: 'REJECTED', recheckAt: dayLater });
  });
});

test('the database says since when it has kept every change', async () => {
  const since = await harness.dependencies.payouts.rememberedSince();
  const [row] = await harness.dependencies.database.query<{ now: Date }>('select now() as now');
  expect(since).toBeInstanceOf(Date);
  expect(since < row!.now).toBe(true);
});
