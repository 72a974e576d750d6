import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId, type StoredNotification } from '@gateway/contracts';
import type { PaymentProvider, ProviderEvent } from '@gateway/providers';
import { verdictOf } from '@gateway/providers/testing';
import type { Dependencies } from '#src/dependencies.ts';
import { takeNotification } from '#src/notifications/take-notification.ts';
import { pollReturns } from '#src/polling/poll-returns.ts';
import { resolvePayout } from '#src/resolution/resolve-payout.ts';
import { e2eIdOf, Rail, type Treatment } from './rail.ts';
import { request, resolutionOf, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

/** A payout that is on its way, in a world where the provider's notifications are believed as far as `grade` says. */
async function underWay(treatment: Treatment = 'pay', grade: 'ours' | 'hint' = 'ours') {
  const account = stage.account(10_000);
  const rail = new Rail(stage.dependencies.now, () => treatment);
  const listed: ProviderEvent[] = [];
  const provider: PaymentProvider = {
    ...rail.provider,
    id: 'bank',
    verifyAndParseNotification: async ({ rawBody }) => {
      const text = Buffer.from(rawBody).toString();
      if (text === 'forged') return { ok: false, reason: 'wrong signature' };
      const event = JSON.parse(text) as ProviderEvent & { at: string };
      return verdictOf(grade, [{ ...event, at: new Date(event.at) }]);
    },
    async *listChanges() {
      yield* listed;
    },
  };
  const route = { provider, currencies: ['BRL'] as const, callTimeoutMs: 1_000 };
  // The peer of the ledger keeps one environment: what is live in the record is decided there as everything else.
  const dependencies: Dependencies = { ...stage.dependencies, payoutRoutes: { test: [route], live: [route] } };
  const { payout } = await stage.create(request(account), dependencies);
  const [row] = await stage.rowsOf(payout.externalId);
  const ref = row!.reference;
  await stage.dependencies.database.query(`update payout set environment = 'live' where id = $1`, [payout.id]);
  const askLedger: Dependencies['askLedger'] = (command, timeoutMs) =>
    stage.dependencies.askLedger({ ...command, environment: 'test' }, timeoutMs);
  const live = { ...dependencies, askLedger };
  const tell = async (event: object) => await take(live, JSON.stringify(factsOf(event, ref)));
  const statusOf = async () => {
    const found = await stage.dependencies.payouts.findById(payout.id);
    return { state: found?.state, returned: found?.returned, balance: stage.ledger.books.balanceOf(account.id) };
  };
  return { rail, ref, tell, live, statusOf, listed, payout };
}

function factsOf(event: object, ref: string) {
  return { ref, dedupeKey: JSON.stringify(event), at: '2026-03-04T06:00:00.000Z', raw: {}, ...event };
}

async function take(dependencies: Dependencies, body: string, provider = 'bank'): Promise<void> {
  const data: StoredNotification = {
    id: newId('event'),
    provider,
    receivedAt: 1_767_000_000,
    rawBody: Buffer.from(body).toString('base64'),
    headers: {},
    query: {},
    pathSuffix: '',
    remoteIp: '127.0.0.1',
  };
  await takeNotification(dependencies, {
    id: data.id,
    subject: `provider.${provider}.notification.v1`,
    data,
    trace: {},
  });
}

const returned = { type: 'payout.returned', money: { currency: 'BRL', amount: 1_500 }, returnId: 'D1' } as const;

test('a signed notification settles a payout, once however often it comes', async () => {
  const { ref, tell, statusOf, payout } = await underWay();
  for (let time = 0; time < 2; time++) await tell({ type: 'payout.paid', e2eId: e2eIdOf(ref) });
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
  expect(await stage.eventsOf(payout.id)).toEqual(['processing', 'paid']);
});

test('a signed failure gives amount and fee back, and a payment that is confirmed after it takes them again', async () => {
  const { ref, tell, statusOf, payout } = await underWay();
  await tell({ type: 'payout.failed', code: 'account_closed', message: 'closed' });
  expect(await statusOf()).toEqual({ state: 'FAILED', returned: 0, balance: 10_000 });
  await tell({ type: 'payout.paid', e2eId: e2eIdOf(ref) });
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
  expect(await stage.eventsOf(payout.id)).toEqual(['processing', 'failed', 'paid']);
});

test('a payment that is confirmed after the provider had refused it takes amount and fee again', async () => {
  const { ref, tell, statusOf, payout } = await underWay('refuse');
  expect(await statusOf()).toEqual({ state: 'REJECTED', returned: 0, balance: 10_000 });
  for (let time = 0; time < 2; time++) await tell({ type: 'payout.paid', e2eId: e2eIdOf(ref) });
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
  expect(stage.ledger.decidedFor(payout.id)).toEqual([
    ...['debit-payout', 'reverse-payout'],
    ...['debit-payout', 'settle-payout'],
  ]);
  expect(await stage.eventsOf(payout.id)).toEqual(['failed', 'paid']);
});

test('a hint of a payment after the failure is asked about, and believed when the provider says the same', async () => {
  const { rail, ref, tell, live, statusOf, payout } = await underWay('pay', 'hint');
  await resolvePayout(live, resolutionOf(payout.id, 'failed'));
  await tell({ type: 'payout.paid', e2eId: e2eIdOf(ref) });
  expect(await statusOf()).toMatchObject({ state: 'FAILED', balance: 10_000 });
  rail.settle(ref);
  await tell({ type: 'payout.paid', e2eId: e2eIdOf(ref) });
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
});

test('a failure that is told after the payment changes nothing', async () => {
  const { ref, tell, statusOf } = await underWay();
  await tell({ type: 'payout.paid', e2eId: e2eIdOf(ref) });
  await tell({ type: 'payout.failed', code: 'account_closed', message: 'closed' });
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
});

test('a return that is told before the payment settles the payout first, and is credited once', async () => {
  const { rail, ref, tell, statusOf } = await underWay();
  await expect(tell(returned)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  rail.settle(ref);
  for (let time = 0; time < 2; time++) await tell(returned);
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 1_500, balance: 6_400 });
});

test('a hint is not believed: the provider is asked', async () => {
  const { rail, ref, tell, statusOf } = await underWay('fail', 'hint');
  await tell({ type: 'payout.paid', e2eId: e2eIdOf(ref) });
  expect(await statusOf()).toMatchObject({ state: 'PROCESSING' });
  rail.settle(ref);
  await tell({ type: 'payout.paid', e2eId: e2eIdOf(ref) });
  expect(await statusOf()).toEqual({ state: 'FAILED', returned: 0, balance: 10_000 });
});

test('a hint of a return is credited when the provider lists it, and not before', async () => {
  const { rail, ref, tell, statusOf, listed } = await underWay('pay', 'hint');
  rail.settle(ref);
  await tell(returned);
  expect(await statusOf()).toMatchObject({ returned: 0 });
  listed.push({ ...factsOf(returned, ref), ...returned, at: new Date() });
  await tell(returned);
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 1_500, balance: 6_400 });
});

test('what is forged, of another provider, or about no payout of ours moves nothing', async () => {
  const { ref, live, tell, statusOf } = await underWay();
  const paid = { type: 'payout.paid', e2eId: e2eIdOf(ref) };
  await take(live, 'forged');
  await take(live, JSON.stringify(factsOf(paid, ref)), 'stranger');
  await tell({ ...paid, ref: '01k9z3m4v6t8x0a2c4e6g8jk03' });
  await tell({ type: 'probe' });
  expect(await statusOf()).toEqual({ state: 'PROCESSING', returned: 0, balance: 4_900 });
});

test('a return whose notification was lost is found in the list, credited once, and another’s is left alone', async () => {
  const { rail, ref, live, statusOf, listed } = await underWay();
  rail.settle(ref);
  const at = stage.dependencies.now();
  listed.push({ ...factsOf(returned, ref), ...returned, ref, at });
  listed.push({ ...factsOf(returned, ref), ...returned, ref: '01k9z3m4v6t8x0a2c4e6g8jk03', at });
  for (let time = 0; time < 2; time++) {
    await pollReturns(live);
    stage.passSeconds(61);
  }
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 1_500, balance: 6_400 });
});

test('a return that cannot be taken holds up none behind it in the list', async () => {
  const { rail, ref, live, statusOf, listed } = await underWay();
  const failed = await underWay('fail');
  const at = stage.dependencies.now();
  for (const each of [failed.ref, ref]) listed.push({ ...factsOf(returned, each), ...returned, ref: each, at });
  rail.settle(ref);
  await pollReturns(live);
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 1_500, balance: 6_400 });
});
