import { LockMode } from '@mikro-orm/core';
import { environmentSchema } from '@gateway/contracts';
import { counter, type Tx } from '@gateway/service-kit';
import type { Dependencies } from '#src/dependencies.ts';
import { bookReturn } from '#src/orphan-receipts/ledger-steps.ts';
import { OrphanReceiptEntity, type OrphanReceiptRow } from '#src/orphan-receipts/orphan-receipt-entity.ts';
import { routeOf } from '#src/providers/charge-routes.ts';
import { alarm, attentionFor } from '#src/returns/attention.ts';
import { dueAgain, weighAnswer, type ReturnAnswer } from '#src/returns/return-progress.ts';

const failed = counter('gateway_orphan_receipts_failed_total', 'Receipts that providers refuse to send back', [
  'environment',
]);
// An increase from nothing is seen only where there was a zero.
for (const environment of environmentSchema.options) failed.add(0, { environment });

/**
 * Writes down what a provider answered about a receipt of nobody's, whatever has become of it since. The ledger knows of
 * its return before the record says so; the money waits there until then, so one that is returned after it had failed
 * needs no debit.
 *
 * @param ofCall when the call was announced that this is the answer of; null of a lookup
 */
export async function recordOrphanAnswer(
  dependencies: Dependencies,
  orphan: OrphanReceiptRow,
  answer: ReturnAnswer,
  ofCall: Date | null,
): Promise<OrphanReceiptRow> {
  if (answer.kind === 'done') await bookReturn(dependencies, orphan);
  const { environment, provider, e2eId } = orphan;
  return await dependencies.database.transaction(async (tx) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
    const row = await tx.em.findOneOrFail(OrphanReceiptEntity, { environment, provider, e2eId }, lock);
    switch (row.state) {
      case 'RETURNING':
        takeAnswer(tx, dependencies, row, answer, ofCall);
        break;
      case 'FAILED':
        if (answer.kind !== 'done') break;
        alarm(dependencies, 'orphan_receipt', row, 'returned after it had failed');
        tx.em.assign(row, returned(answer));
        break;
      case 'RETURNED':
        if (answer.kind !== 'failed' || row.attention === 'contradiction') break;
        alarm(dependencies, 'orphan_receipt', row, 'failed after it was returned');
        tx.em.assign(row, attentionFor(row, 'contradiction', dependencies.now()));
    }
    return row;
  });
}

function takeAnswer(
  tx: Tx,
  dependencies: Dependencies,
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
  if (end === 'done' && answer.kind === 'done') return void tx.em.assign(row, returned(answer));
  if (end === 'failed' && (answer.kind === 'failed' || answer.kind === 'refused')) {
    const failure = `${answer.code}: ${answer.message}`;
    failed.add(1, { environment: row.environment });
    dependencies.logger.error({ orphanId: row.id, depositId: row.depositId, failure }, 'a receipt cannot be sent back');
    return void tx.em.assign(row, { ...settled, state: 'FAILED', failure });
  }
  if (answer.kind === 'differs') {
    alarm(dependencies, 'orphan_receipt', row, answer.cause);
    tx.em.assign(row, attentionFor(row, 'amount_differs', now));
  }
  // A call that is under way keeps its lease.
  if (!row.callStartedAt) tx.em.assign(row, { nextAttemptAt: dueAgain(row, answer, at) });
}

const settled = { nextAttemptAt: null, callStartedAt: null, attentionAt: null, attention: null } as const;

function returned({ providerRef, returnId }: Extract<ReturnAnswer, { kind: 'done' }>) {
  return { ...settled, state: 'RETURNED', providerRef, returnId, failure: null } as const;
}
