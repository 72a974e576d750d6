import type { Worker } from '@gateway/messaging';
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

const sweepIntervalMs = 1_000;
const observeIntervalMs = 15_000;
const recheckIntervalMs = 15_000;

/** Each finds the records whose next step is due, and takes it. */
const sweepers = [
  expireDueDeposits,
  creditReceivedPayments,
  finishCreations,
  returnOrphanReceipts,
  finishRefunds,
  finishDisputes,
  markOverdue,
  sendEvidence,
  lookUpOpenDisputes,
  compareWhenDue,
];

/** What this service does by itself. */
export function workers(dependencies: Dependencies): Worker[] {
  const { providerSettings } = dependencies;
  return [
    { name: 'provider settings', intervalMs: sweepIntervalMs, work: () => providerSettings.reload() },
    { name: 'provider balance metrics', intervalMs: observeIntervalMs, work: () => observeBalances(dependencies) },
    { name: 'open returns metrics', intervalMs: observeIntervalMs, work: () => observeOpen(dependencies) },
    { name: 'failed returns', intervalMs: recheckIntervalMs, work: () => recheckFailed(dependencies) },
    ...sweepers.map((sweep) => ({
      name: sweep.name,
      intervalMs: sweepIntervalMs,
      work: () => sweep(dependencies),
    })),
  ];
}
