import type { Worker } from '@gateway/messaging';
import { expireDueDeposits } from '#src/charge/expire-due-deposits.ts';
import { finishCreations } from '#src/charge/finish-creations.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { finishDisputes } from '#src/dispute/finish-disputes.ts';
import { sendEvidence } from '#src/dispute/send-evidence.ts';
import { returnOrphanReceipts } from '#src/orphan-receipts/return-orphan-receipts.ts';
import { creditReceivedPayments } from '#src/payment/credit-received-payments.ts';
import { lookUpOpenDisputes } from '#src/provider-feed/look-up-open-disputes.ts';
import { compareWhenDue } from '#src/providers/compare-provider-balances.ts';
import { observeBalances } from '#src/providers/observe-balances.ts';
import { finishRefunds } from '#src/refund/finish-refunds.ts';
import { noteOverdue } from '#src/resolution/note-overdue.ts';
import { observeOpen } from '#src/resolution/observe-open.ts';
import { recheckFailed } from '#src/resolution/recheck-failed.ts';

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
  noteOverdue,
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
