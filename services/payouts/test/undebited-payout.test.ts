import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBacklog } from '@gateway/messaging';
import { type PaymentProvider, sandboxProvider } from '@gateway/providers';
import { asked, notificationResult } from '@gateway/providers/testing';
import { payoutsUnderWay, waitingPayouts } from '#src/payout/waiting-payouts.ts';
import { withFeeds } from '#src/provider-feed/payout-feeds.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { resumePayout } from '#src/steps/resume-payout.ts';
import { request, Harness } from './harness.ts';
import { take } from './under-way.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(async () => harness[Symbol.asyncDispose]());

type GetPayout = PaymentProvider['getPayout'];
const notFound: GetPayout = async () => ({ status: 'NOT_FOUND' });
const failed: GetPayout = async ({ ref }) =>
  asked({ status: 'FAILED', providerRef: ref, code: 'invalid_account', message: 'no account' });

/**
 * A payout that its provider has, in databases that have both forgotten it: the record is as it was before the call, and the
 * ledger has neither its debit nor the money for it any more.
 */
async function undebited() {
  const sandbox = sandboxProvider({ now: () => harness.dependencies.now() });
  // A provider on the wire knows what it was sent, whatever our record says.
  const hasIt: GetPayout = (lookup) => sandbox.getPayout({ ...lookup, isSent: true });
  const account = harness.account(10_000);
  const wanted = request(account);
  const dying: StepsDependencies = {
    ...harness.dependencies,
    askLedger: async () => Promise.reject(new Error('the process ends here')),
  };
  await expect(harness.create(wanted, dying)).rejects.toThrow();
  const [row] = await harness.rowsOf(wanted.externalId);
  harness.ledger.books.fund(account.id, -8_000);
  const found = async () => await harness.dependencies.payouts.findById(row!.id);
  const resume = async (getPayout: GetPayout) => {
    await resumePayout(harness.with({ getPayout }), (await found())!);
    const payout = await found();
    const dueInMs = Number(payout?.dueAt) - Number(harness.dependencies.now());
    harness.passSeconds(901);
    return payout && { reason: payout.attentionReason, state: payout.state, dueInMs };
  };
  harness.passSeconds(8);
  return {
    id: row!.id,
    ref: row!.reference,
    hasIt,
    found,
    resume,
    balance: () => harness.ledger.books.balanceOf(account.id),
  };
}

const leftToOperators = { reason: 'contradiction', state: 'RELEASING', dueInMs: 900_000 };

test('a payout that its provider has, and whose debit the ledger has forgotten and refuses now, is for operators', async () => {
  const { resume, hasIt, balance } = await undebited();
  expect(await resume(hasIt)).toEqual(leftToOperators);
  expect(balance()).toBe(2_000);
  const waitingSql = waitingPayouts.find(({ kind }) => kind === 'payout_stuck')!.sql;
  const stuck = await harness.dependencies.database.query<{ environment: string }>(waitingSql);
  expect(stuck).toContainEqual(expect.objectContaining({ environment: 'test' }));
});

test('a payout is under way for as long as its next step is taken without a person', async () => {
  const underWay = async () =>
    (await readBacklog(harness.dependencies.database, payoutsUnderWay)).find(
      ({ kind, environment }) => kind === 'payout' && environment === 'test',
    )!.count;
  const before = await underWay();
  const { resume, hasIt } = await undebited();
  expect(await underWay()).toBe(before + 1);
  await resume(hasIt);
  expect(await underWay()).toBe(before + 1);
  expect(await resume(failed)).toBeUndefined();
  expect(await underWay()).toBe(before);
});

test('it stays on record however often its provider does not find it later, so that it is not sent a second time', async () => {
  const { resume, hasIt } = await undebited();
  expect(await resume(notFound)).toMatchObject({ reason: null, state: 'RELEASING' });
  expect(await resume(hasIt)).toEqual(leftToOperators);
  for (let time = 0; time < 3; time++) expect(await resume(notFound)).toEqual(leftToOperators);
});

test('it goes when its provider says that it has failed: what was neither debited nor paid has not happened', async () => {
  const { resume, hasIt, balance } = await undebited();
  expect(await resume(hasIt)).toEqual(leftToOperators);
  expect(await resume(failed)).toBeUndefined();
  expect(balance()).toBe(2_000);
});

test('it stays on record where a second provider has it, although the first one says that it has failed', async () => {
  const { hasIt, found, balance } = await undebited();
  const routeOf = (id: string, getPayout: GetPayout) => ({
    provider: { ...sandboxProvider({ now: () => harness.dependencies.now() }), id, getPayout },
    currencies: ['BRL'] as const,
    callTimeoutMs: 1_000,
  });
  const routes = [routeOf('first', failed), routeOf('second', hasIt)];
  const dependencies = { ...harness.dependencies, payoutRoutes: { test: routes, live: [] } };
  for (let time = 0; time < 2; time++) {
    await resumePayout(dependencies, (await found())!);
    expect(await found()).toMatchObject({ state: 'RELEASING', attentionReason: 'contradiction' });
    harness.passSeconds(901);
  }
  expect(balance()).toBe(2_000);
});

test('what a provider reports of it is kept, and holds up no notification behind it', async () => {
  const { id, ref, resume, hasIt } = await undebited();
  await resume(hasIt);
  const { database } = harness.dependencies;
  await database.query("update payout set environment = 'live' where id = $1", [id]);
  const bank: PaymentProvider = {
    ...sandboxProvider({ now: () => harness.dependencies.now() }),
    id: 'bank',
    verifyAndParseNotification: async () =>
      notificationResult('ours', [
        { type: 'payout.paid', ref, e2eId: 'E1', dedupeKey: ref, at: harness.dependencies.now(), raw: {} },
      ]),
  };
  const live = [{ provider: bank, currencies: ['BRL'] as const, callTimeoutMs: 1_000 }];
  await take(withFeeds({ ...harness.dependencies, payoutRoutes: { test: [], live } }, 1_000), '{}', 'bank');
  expect(
    await database.query("select state from item_inbox where provider = 'bank' and raw::text like $1", [`%${ref}%`]),
  ).toEqual([{ state: 'WAITING' }]);
});
