import { environmentSchema } from '@gateway/contracts/values';
import type { Tx } from '@gateway/persistence';
import { counter } from '@gateway/runtime';
import { bookOrphan, lockOrphan } from '#src/orphan-receipts/book-orphan.ts';
import type { OrphanReceiptRow } from '#src/orphan-receipts/orphan-receipt.ts';
import { dueAgain, type ReturnAnswer, weighAnswer } from '#src/returns/return-progress.ts';
import { alarm, attentionFor } from '#src/returns/return-record.ts';
import { plannedRecheck } from '#src/returns/return-schedule.ts';
import { returnLeaseMs } from '#src/returns/send-back.ts';
import { routeOf } from '#src/routing/charge-routes.ts';
import type { RoutingDependencies } from '#src/routing/dependencies.ts';

const failed = counter('gateway_orphan_receipts_failed_total', 'Receipts that providers refuse to send back', [
  'environment',
]);
// An increase from nothing is seen only where there was a zero.
for (const environment of environmentSchema.options) failed.add(0, { environment });

/**
 * Records what a provider answered about an orphan receipt, whatever state it is in by now. The money waits in the
 * ledger until it is known to have gone back, so one that is returned after it had failed needs no debit.
 *
 * @param ofCall when the call was announced that this is the answer of; null of a lookup
 */
export async function recordOrphanAnswer(
  dependencies: RoutingDependencies,
  orphan: OrphanReceiptRow,
  answer: ReturnAnswer,
  ofCall: Date | null,
): Promise<OrphanReceiptRow> {
  const recorded = await dependencies.database.transaction(async (tx) => {
    const row = await lockOrphan(tx, orphan);
    const now = dependencies.now();
    switch (row.state) {
      case 'RETURNING':
        applyAnswer(tx, dependencies, row, answer, ofCall);
        break;
      case 'FAILED':
        if (answer.kind === 'processing') freeze(tx, dependencies, row, 'under way after it had failed');
        if (answer.kind === 'differs') recordDifference(tx, dependencies, row, answer);
        if (answer.kind !== 'done') break;
        alarm(dependencies, 'orphan_receipt', row, 'returned after it had failed');
        tx.em.assign(row, goneBack(answer, now));
        break;
      case 'BOOKING':
      case 'RETURNED':
        if (answer.kind === 'failed') freeze(tx, dependencies, row, 'failed after it was returned');
    }
    return row;
  });
  return await bookOrphan(dependencies, recorded);
}

/** What is on record of one that has gone back, until the ledger knows. */
export function goneBack({ returnId, providerRef }: { returnId: string | null; providerRef?: string }, now: Date) {
  const nextAttemptAt = new Date(now.getTime() + returnLeaseMs);
  const facts = providerRef === undefined ? { returnId } : { returnId, providerRef };
  return { ...ended, ...facts, nextAttemptAt, state: 'BOOKING', failure: null } as const;
}

/** What is on record of one that will not be sent back: it is asked about again by the plan. */
export function notGoneBack({ calledAt }: OrphanReceiptRow, failure: string, now: Date) {
  const recheckAt = plannedRecheck({ calledAt, rechecks: 0 }, now);
  return { ...ended, recheckAt, recheckPlannedAt: recheckAt, nextAttemptAt: null, state: 'FAILED', failure } as const;
}

const ended = {
  callStartedAt: null,
  recheckAt: null,
  recheckPlannedAt: null,
  rechecks: 0,
  attentionAt: null,
  attention: null,
} as const;

function applyAnswer(
  tx: Tx,
  dependencies: RoutingDependencies,
  row: OrphanReceiptRow,
  answer: ReturnAnswer,
  ofCall: Date | null,
): void {
  const isAwaited = ofCall === null || row.callStartedAt?.getTime() === ofCall.getTime();
  if (!isAwaited && answer.kind !== 'done' && answer.kind !== 'processing') return;
  const now = dependencies.now();
  const route = routeOf(dependencies.chargeRoutes, row.environment, row.provider);
  const at = { now, consistentLookup: route?.provider.capabilities.consistentLookup ?? false };
  const { end, changes } = weighAnswer(row, answer, at);
  tx.em.assign(row, { ...changes, ...(ofCall !== null && isAwaited ? { callStartedAt: null } : {}) });
  if (end === 'done' && answer.kind === 'done') return void tx.em.assign(row, goneBack(answer, now));
  if (end === 'failed' && (answer.kind === 'failed' || answer.kind === 'refused')) {
    const failure = `${answer.code}: ${answer.message}`;
    failed.add(1, { environment: row.environment });
    dependencies.logger.error({ orphanId: row.id, depositId: row.depositId, failure }, 'a receipt cannot be sent back');
    return void tx.em.assign(row, notGoneBack(row, failure, now));
  }
  if (answer.kind === 'differs') recordDifference(tx, dependencies, row, answer);
  // A call that is under way keeps its lease.
  if (!row.callStartedAt) tx.em.assign(row, { nextAttemptAt: dueAgain(row, answer, at) });
}

function recordDifference(
  tx: Tx,
  dependencies: RoutingDependencies,
  row: OrphanReceiptRow,
  { cause }: Extract<ReturnAnswer, { kind: 'differs' }>,
): void {
  alarm(dependencies, 'orphan_receipt', row, cause);
  tx.em.assign(row, attentionFor(row, 'amount_differs', dependencies.now()));
}

function freeze(tx: Tx, dependencies: RoutingDependencies, row: OrphanReceiptRow, what: string): void {
  if (row.attention === 'contradiction') return;
  alarm(dependencies, 'orphan_receipt', row, what);
  tx.em.assign(row, attentionFor(row, 'contradiction', dependencies.now()));
}
