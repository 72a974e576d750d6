import {
  DepositCanceled,
  DepositCreated,
  DepositExpired,
  DepositPaid,
  DepositRefunded,
} from '@gateway/contracts/deposits';
import { onEvent } from '@gateway/persistence';
import { counter, histogram } from '@gateway/runtime';

const minuteSec = 60;
const hourSec = 3_600;
/** A payer takes between seconds and days. */
const paidBuckets = [1, 5, 15, 30, minuteSec, 5 * minuteSec, 15 * minuteSec, hourSec, 6 * hourSec, 24 * hourSec];

const reached = counter('gateway_deposits_total', 'Deposits by the status they reached', ['environment', 'status']);
const volume = counter('gateway_deposit_cents_total', 'Minor units of deposits by the status they reached', [
  'environment',
  'currency',
  'status',
]);
const timeToPaid = histogram(
  'gateway_deposit_time_to_paid_seconds',
  'From the creation of a charge to its payment',
  ['environment'],
  paidBuckets,
);

/** For dashboards; what is owed to whom is in the ledger. */
export function observeDeposits(): Disposable {
  const events = [DepositCreated, DepositPaid, DepositExpired, DepositCanceled, DepositRefunded];
  return onEvent(events, ({ deposit }) => {
    const { environment, currency, status, amount, createdAt, paidAt } = deposit;
    reached.add(1, { environment, status });
    volume.add(amount, { environment, currency, status });
    if (status === 'PAID' && paidAt) timeToPaid.record(Date.parse(paidAt) / 1_000 - createdAt, { environment });
  });
}
