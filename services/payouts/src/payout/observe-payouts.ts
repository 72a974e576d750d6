import { PayoutCanceled, PayoutFailed, PayoutPaid, PayoutPending, PayoutProcessing } from '@gateway/contracts';
import { counter, histogram, level, onEvent, startLoop, type Database, type Logger } from '@gateway/service-kit';

const sampleIntervalMs = 15_000;
const minuteSec = 60;
const hourSec = 3_600;
/** Seconds where all is well, hours where somebody has to look. */
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
const open = level('gateway_payouts_open', 'Payouts that are under way, by state', ['environment', 'state']);
const stuck = level('gateway_payouts_stuck', 'Payouts that will not end without somebody', ['environment']);

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

/** Counts what is under way; both indexes hold that alone, however many payouts there have been. */
export function sampleOpenPayouts(database: Database, logger: Logger): AsyncDisposable {
  return startLoop({
    name: 'payout metrics',
    intervalMs: sampleIntervalMs,
    logger,
    work: async () => {
      const states = await database.query<{ environment: string; state: string; payouts: number }>(
        'select environment, state, count(*) as payouts from payout where due_at is not null group by 1, 2',
      );
      const attention = await database.query<{ environment: string; payouts: number }>(
        'select environment, count(*) as payouts from payout where attention_at is not null group by 1',
      );
      open.reset();
      for (const { environment, state, payouts } of states) open.set(payouts, { environment, state });
      stuck.set(0, { environment: 'live' });
      stuck.set(0, { environment: 'test' });
      for (const { environment, payouts } of attention) stuck.set(payouts, { environment });
    },
  });
}
