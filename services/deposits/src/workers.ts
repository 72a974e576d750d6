import type { Worker } from '@gateway/messaging';
import type { DueWorker } from '@gateway/persistence';
import { callCounts } from '@gateway/provider-feeds';
import { expireDueDeposits } from '#src/charge/expire-deposits.ts';
import { finishCreations } from '#src/charge/open-charge.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { finishDisputes } from '#src/dispute/resume-dispute.ts';
import { sendEvidence } from '#src/dispute/send-evidence.ts';
import { returnOrphanReceipts } from '#src/orphan-receipts/return-orphan-receipts.ts';
import { creditReceivedPayments } from '#src/payment/credit-payment.ts';
import { lookUpOpenDisputes } from '#src/provider-feed/look-up-open-disputes.ts';
import { compareWhenDue } from '#src/providers/compare-provider-balances.ts';
import { observeBalances } from '#src/providers/provider-balance-table.ts';
import { finishRefunds } from '#src/refund/resume-refund.ts';
import { recheckFailed } from '#src/resolution/recheck-failed.ts';
import { markOverdue, observeOpen } from '#src/resolution/watch-open-returns.ts';

/** A provider that operators have switched off gets no charge of another process after this, should a signal be lost. */
const settingsIntervalMs = 10_000;
const observeIntervalMs = 30_000;
const recheckIntervalMs = 15_000;
/** What is counted of calls to providers is written so often. */
const callsIntervalMs = 15_000;
/** Of records that are overdue after 25 minutes. */
const overdueIntervalMs = 15_000;
/** New disputes are enlisted so often, to be asked about for the first time half a minute later. */
const disputesIntervalMs = 15_000;

/**
 * Each finds the records whose next step is due, and takes it. Those of a process that lives are taken by itself, and
 * their due times lie behind that: what is found here is retries, expiries and what a process left that died.
 */
const sweepers = [
  { sweep: expireDueDeposits, firstDue: `(select min(expires_at) from deposit where state = 'PENDING')` },
  { sweep: creditReceivedPayments, firstDue: `(select min(next_attempt_at) from payment where state = 'RECEIVED')` },
  { sweep: finishCreations, firstDue: `(select min(creation_due_at) from deposit where state = 'CREATING')` },
  { sweep: returnOrphanReceipts, firstDue: firstAttemptOf('orphan_receipt') },
  { sweep: finishRefunds, firstDue: firstAttemptOf('refund') },
  { sweep: finishDisputes, firstDue: firstAttemptOf('dispute') },
  { sweep: sendEvidence, firstDue: firstAttemptOf('dispute_evidence') },
  { sweep: compareWhenDue, firstDue: '(select min(due_at) from provider_balance_round)' },
];

function firstAttemptOf(table: string): string {
  return `(select min(next_attempt_at) from ${table} where next_attempt_at is not null)`;
}

/** What this service does by itself, from time to time. */
export function workers(dependencies: Dependencies): Worker[] {
  const { providerSettings } = dependencies;
  return [
    { name: 'provider settings', intervalMs: settingsIntervalMs, work: () => providerSettings.reload() },
    { name: 'provider balance metrics', intervalMs: observeIntervalMs, work: () => observeBalances(dependencies) },
    { name: 'open returns metrics', intervalMs: observeIntervalMs, work: () => observeOpen(dependencies) },
    { name: 'failed returns', intervalMs: recheckIntervalMs, work: () => recheckFailed(dependencies) },
    { name: 'overdue returns', intervalMs: overdueIntervalMs, work: () => markOverdue(dependencies) },
    { name: 'open disputes', intervalMs: disputesIntervalMs, work: () => lookUpOpenDisputes(dependencies) },
    {
      name: 'provider calls',
      intervalMs: callsIntervalMs,
      work: () => callCounts.write(dependencies.database, dependencies.now()),
    },
  ];
}

/** What it does when something is due. */
export function dueWorkers(dependencies: Dependencies): DueWorker[] {
  return sweepers.map(({ sweep, firstDue }) => ({ name: sweep.name, firstDue, work: () => sweep(dependencies) }));
}
