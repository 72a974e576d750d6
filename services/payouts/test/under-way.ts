import type { StoredNotification } from '@gateway/contracts/providers';
import { newId } from '@gateway/money';
import type { NotificationGrade, PaymentProvider, ProviderEvent } from '@gateway/providers';
import { notificationResult } from '@gateway/providers/testing';
import type { ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';
import { handleNotification } from '#src/provider-feed/handle-notification.ts';
import { recheckDue } from '#src/provider-feed/recheck-payouts.ts';
import { withFeeds } from '#src/provider-feed/payout-feeds.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { e2eIdOf, Rail, type Treatment } from './rail.ts';
import { request, type Harness } from './harness.ts';

export const returned = (returnId: string, amount = 1_500) => ({
  type: 'payout.returned',
  money: { currency: 'BRL', amount },
  returnId,
});

/** A live payout of 50.00 that a bank has, and another bank that speaks of it too; both sign as the grade says. */
export async function underWay(harness: Harness, treatment: Treatment = 'pay', grade: NotificationGrade = 'ours') {
  const account = harness.account(10_000);
  const rail = new Rail(harness.dependencies.now, () => treatment);
  const asked: string[] = [];
  const routeOf = (id: string) => ({
    provider: speaking(rail.provider, id, grade, asked),
    currencies: ['BRL'] as const,
    callTimeoutMs: 1_000,
  });
  const routes = [routeOf('bank'), routeOf('other')];
  // The peer of the ledger keeps one environment: what is live in the record is decided there as everything else.
  const dependencies: StepsDependencies = { ...harness.dependencies, payoutRoutes: { test: routes, live: routes } };
  const askLedger: StepsDependencies['askLedger'] = (command, timeoutMs) =>
    harness.dependencies.askLedger({ ...command, environment: 'test' }, timeoutMs);
  const live = withFeeds({ ...dependencies, askLedger }, 1_000);
  const { payout } = await harness.create(request(account), dependencies);
  const [row] = await harness.rowsOf(payout.externalId);
  const ref = row!.reference;
  await harness.dependencies.database.query(
    `update payout set environment = 'live',
       recheck_at = case when state = 'REJECTED' then $2::timestamptz + interval '1 day' end where id = $1`,
    [payout.id, harness.dependencies.now()],
  );
  const report = async (event: object, provider = 'bank') =>
    await take(live, JSON.stringify(factsOf(event, ref)), provider);
  const found = async () => (await harness.dependencies.payouts.findById(payout.id))!;
  const statusOf = async () => {
    const { state, returned: back } = await found();
    return { state, returned: back, balance: harness.ledger.books.balanceOf(account.id) };
  };
  /** Time passes, and whatever is to be asked by then is asked. */
  const passDays = async (days: number) => {
    for (let day = 0; day < days; day++) {
      harness.passSeconds(86_400);
      await recheckDue(live, 100);
    }
  };
  const paid = { type: 'payout.paid', e2eId: e2eIdOf(ref) };
  const failed = { type: 'payout.failed', code: 'account_closed', message: 'closed' };
  return { account, rail, ref, report, live, statusOf, found, payout, passDays, asked, paid, failed };
}

function speaking(provider: PaymentProvider, id: string, grade: NotificationGrade, asked: string[]): PaymentProvider {
  return {
    ...provider,
    id,
    getPayout: async (lookup, options) => {
      asked.push(`${id} outcome ${lookup.ref}`);
      return await provider.getPayout(lookup, options);
    },
    getPayoutReturns: async (lookup, options) => {
      asked.push(`${id} returns ${lookup.ref}`);
      return await provider.getPayoutReturns!(lookup, options);
    },
    verifyAndParseNotification: async ({ rawBody }) => {
      const text = Buffer.from(rawBody).toString();
      if (text === 'forged') return { ok: false, reason: 'wrong signature' };
      const event = JSON.parse(text) as ProviderEvent & { at: string };
      return notificationResult(grade, [{ ...event, at: new Date(event.at) }]);
    },
  };
}

function factsOf(event: object, ref: string) {
  return { ref, dedupeKey: JSON.stringify(event), at: '2026-03-04T06:00:00.000Z', raw: {}, ...event };
}

export async function take(dependencies: ProviderFeedDependencies, body: string, provider: string): Promise<void> {
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
  const subject = `provider.${provider}.notification.v1`;
  await handleNotification(dependencies, { id: data.id, subject, data, trace: {} });
}
