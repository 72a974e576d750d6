import { LockMode } from '@mikro-orm/core';
import { environmentSchema } from '@gateway/contracts';
import { counter } from '@gateway/service-kit';
import type { Dependencies } from '#src/dependencies.ts';
import { DepositEntity } from '#src/deposit/deposit-entity.ts';
import { bookReturn, holdReceipt } from '#src/orphan-receipts/ledger-steps.ts';
import { OrphanReceiptEntity, type OrphanReceiptRow } from '#src/orphan-receipts/orphan-receipt-entity.ts';
import { routeOf } from '#src/providers/charge-routes.ts';
import { nextAttempt } from '#src/returns/retry-distance.ts';
import { sendBack, type SentBack } from '#src/returns/send-back.ts';

const batchMax = 20;

const failed = counter('gateway_orphan_receipts_failed_total', 'Receipts that providers refuse to send back', [
  'environment',
]);
// An increase from nothing is seen only where there was a zero.
for (const environment of environmentSchema.options) failed.add(0, { environment });

/** Sends back money that belongs to no deposit. Answers true when there may be more. */
export async function returnOrphanReceipts(dependencies: Dependencies): Promise<boolean> {
  const due = await claimDue(dependencies);
  await Promise.all(due.map((orphan) => returnOrphan(dependencies, orphan)));
  return due.length === batchMax;
}

async function claimDue({ database, now }: Dependencies): Promise<OrphanReceiptRow[]> {
  return await database.transaction(async (tx) => {
    const due = await tx.em.find(
      OrphanReceiptEntity,
      { state: 'RETURNING', nextAttemptAt: { $lte: now() } },
      { orderBy: { nextAttemptAt: 'asc' }, limit: batchMax, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
    );
    for (const orphan of due) {
      orphan.nextAttemptAt = nextAttempt(orphan.attempts, now());
      orphan.attempts += 1;
    }
    return due;
  });
}

async function returnOrphan(dependencies: Dependencies, orphan: OrphanReceiptRow): Promise<void> {
  const { chargeRoutes, database, logger } = dependencies;
  const { environment, provider, accountId, depositId, e2eId } = orphan;
  const route = routeOf(chargeRoutes, environment, provider);
  try {
    await holdReceipt(dependencies, orphan);
    if (!route) throw new Error(`provider ${provider} is not configured`);
    const deposit = await database.reader().findOneOrFail(DepositEntity, { environment, accountId, id: depositId });
    const sent = await sendBack(route, deposit, orphan);
    if (sent.kind === 'done') await bookReturn(dependencies, orphan);
    await record(dependencies, orphan, sent);
    if (sent.kind !== 'failed') return;
    failed.add(1, { environment });
    logger.error({ depositId, e2eId, ...sent }, 'an orphan receipt cannot be sent back');
  } catch (error) {
    logger.warn({ err: error, depositId, e2eId }, 'orphan receipt could not be sent back yet');
  }
}

async function record({ database }: Dependencies, orphan: OrphanReceiptRow, sent: SentBack): Promise<void> {
  const { environment, provider, e2eId } = orphan;
  await database.transaction(async (tx) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
    const row = await tx.em.findOneOrFail(OrphanReceiptEntity, { environment, provider, e2eId }, lock);
    if (row.state !== 'RETURNING') return;
    switch (sent.kind) {
      case 'waiting':
        row.providerRef ??= sent.providerRef;
        return;
      case 'done':
        tx.em.assign(row, { state: 'RETURNED', returnId: sent.returnId, nextAttemptAt: null });
        return;
      case 'failed':
        tx.em.assign(row, { state: 'FAILED', failure: `${sent.code}: ${sent.message}`, nextAttemptAt: null });
    }
  });
}
