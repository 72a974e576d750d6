import { PayoutCanceled, PayoutFailed, PayoutPaid, PayoutPending, PayoutProcessing } from '@gateway/contracts/payouts';
import { environmentSchema } from '@gateway/contracts/values';
import { type Database, onEvent } from '@gateway/persistence';
import { counter, histogram, level, type Logger, startLoop } from '@gateway/runtime';
import type { AttentionReason } from '#src/payout/payout-entity.ts';

const sampleIntervalMs = 30_000;
const minuteSec = 60;
const hourSec = 3_600;
/** Seconds where all is well, hours where an operator has to look. */
const paidBuckets = [0.5, 1, 2, 5, 10, 30, minuteSec, 5 * minuteSec, 30 * minuteSec, hourSec, 6 * hourSec];

const reached = counter('gateway_payouts_total', 'Payouts by the status they reached', ['environment', 'status']);
const volume = counter('gateway_payout_cents_total', 'Minor units of payouts by the status they reached', [
  'environment',
  'currency',
  'status',
]);
const timeToPaid = histogram(
  'gateway_payout_time_to_paid_seconds',
  'From the creation of a payout to its settlement',
  ['environment'],
  paidBuckets,
);
export const paidAfterTheEnd = counter(
  'gateway_payouts_paid_after_end_total',
  'Payouts that were paid although amount and fee had been given back; they are debited again',
  ['environment'],
);
export const paidTwice = counter(
  'gateway_payouts_paid_twice_total',
  'Payments of payouts that another provider has as well: the money has left twice',
  ['environment'],
);
// An alert looks at how much they grow, so they have to be there before the first one.
for (const environment of environmentSchema.options) {
  paidAfterTheEnd.add(0, { environment });
  paidTwice.add(0, { environment });
}
const open = level('gateway_payouts_open', 'Payouts that are under way, by state', ['environment', 'state']);
const stuck = level('gateway_payouts_stuck', 'Payouts that need operators, by reason', ['environment', 'reason']);
const unconfirmed = level(
  'gateway_payouts_unconfirmed',
  'Live payouts with a report that no answer of the provider confirms',
  ['provider'],
);
const recheckDelay = level(
  'gateway_payout_recheck_delay_seconds',
  'How long the oldest question about a payout that has ended waits for its turn',
  ['provider'],
);

/** For dashboards; what is owed to whom is in the ledger. */
export function observePayouts(): Disposable {
  const events = [PayoutPending, PayoutProcessing, PayoutPaid, PayoutFailed, PayoutCanceled];
  return onEvent(events, ({ payout }) => {
    const { environment, currency, status, amount, createdAt, paidAt } = payout;
    reached.add(1, { environment, status });
    volume.add(amount, { environment, currency, status });
    if (status === 'PAID' && paidAt) timeToPaid.record(Date.parse(paidAt) / 1_000 - createdAt, { environment });
  });
}

/**
 * Counts what is under way and what waits for an answer; the indexes hold that alone, however many payouts there have been.
 *
 * @param providers the live ones
 */
export function sampleOpenPayouts(database: Database, logger: Logger, providers: readonly string[]): AsyncDisposable {
  return startLoop({
    name: 'payout metrics',
    intervalMs: sampleIntervalMs,
    logger,
    work: async () => {
      const states = await database.query<{ environment: string; state: string; payouts: number }>(
        'select environment, state, count(*) as payouts from payout where due_at is not null group by 1, 2',
      );
      const attention = await database.query<{ environment: string; reason: AttentionReason; payouts: number }>(
        `select environment, coalesce(attention_reason, 'outcome_unknown') as reason, count(*) as payouts
         from payout where attention_at is not null group by 1, 2`,
      );
      await sampleRechecks(database, providers);
      open.reset();
      for (const { environment, state, payouts } of states) open.set(payouts, { environment, state });
      stuck.reset();
      for (const environment of ['live', 'test']) stuck.set(0, { environment, reason: 'outcome_unknown' });
      for (const { environment, reason, payouts } of attention) stuck.set(payouts, { environment, reason });
    },
  });
}

async function sampleRechecks(database: Database, providers: readonly string[]): Promise<void> {
  const reported = await database.query<{ provider: string; payouts: number }>(
    'select provider, count(*) as payouts from payout where unconfirmed is not null group by 1',
  );
  unconfirmed.reset();
  recheckDelay.reset();
  for (const { provider, payouts } of reported) unconfirmed.set(payouts, { provider });
  for (const provider of providers) {
    const [waiting] = await database.query<{ seconds: number | null }>(
      `select extract(epoch from now() - min(recheck_at))::double precision as seconds
       from payout where provider = $1 and recheck_at is not null`,
      [provider],
    );
    recheckDelay.set(Math.max(0, waiting?.seconds ?? 0), { provider });
  }
}
