import { LockMode } from '@mikro-orm/core';
import { DepositEntity } from '#src/deposit/deposit-entity.ts';
import { ProviderUnavailableError } from '#src/errors.ts';
import { holdReceipt } from '#src/orphan-receipts/book-orphan.ts';
import { OrphanReceiptEntity, type OrphanReceiptRow } from '#src/orphan-receipts/orphan-receipt.ts';
import { bookOrphan } from '#src/orphan-receipts/book-orphan.ts';
import { recordOrphanAnswer } from '#src/orphan-receipts/record-orphan-answer.ts';
import { afterLostCall, nextStep, type ReturnAnswer } from '#src/returns/return-progress.ts';
import { announceCall } from '#src/returns/return-record.ts';
import { lookUpReturn, returnLeaseMs, sendBack } from '#src/returns/send-back.ts';
import { type ChargeRoute, routeOf } from '#src/routing/charge-routes.ts';
import type { RoutingDependencies } from '#src/routing/dependencies.ts';

const batchMax = 20;

/** Sends back money that belongs to no deposit. Answers true when there may be more. */
export async function returnOrphanReceipts(dependencies: RoutingDependencies): Promise<boolean> {
  const due = await claimDue(dependencies);
  await Promise.all(due.map((orphan) => returnOrphan(dependencies, orphan)));
  return due.length === batchMax;
}

/**
 * Asks its provider what has become of a receipt, whatever is on record; harmless at any time.
 *
 * @returns the receipt as it is on record then, and the answer
 * @throws ProviderUnavailableError where an answer is needed and none comes
 */
export async function askAboutOrphan(
  dependencies: RoutingDependencies,
  orphan: OrphanReceiptRow,
  { needsAnswer = false } = {},
): Promise<{ readonly row: OrphanReceiptRow; readonly answer: ReturnAnswer }> {
  const answer = await lookUpReturn(routeFor(dependencies, orphan), await depositOf(dependencies, orphan), orphan);
  if (answer.kind === 'unavailable' && needsAnswer) throw new ProviderUnavailableError(answer.cause);
  return { row: await recordOrphanAnswer(dependencies, orphan, answer, null), answer };
}

async function claimDue({ database, now }: RoutingDependencies): Promise<OrphanReceiptRow[]> {
  return await database.transaction(async (tx) => {
    const due = await tx.em.find(
      OrphanReceiptEntity,
      { nextAttemptAt: { $lte: now() } },
      { orderBy: { nextAttemptAt: 'asc' }, limit: batchMax, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
    );
    for (const orphan of due) {
      orphan.nextAttemptAt = new Date(now().getTime() + returnLeaseMs);
      orphan.attempts += 1;
      // An announced call without an outcome may have been carried out: this process gives it up.
      tx.em.assign(orphan, afterLostCall(orphan));
    }
    return due;
  });
}

async function returnOrphan(dependencies: RoutingDependencies, orphan: OrphanReceiptRow): Promise<void> {
  try {
    if (orphan.state === 'BOOKING') return void (await bookOrphan(dependencies, orphan));
    await holdReceipt(dependencies, orphan);
    await takeStep(dependencies, orphan);
  } catch (error) {
    const { depositId, e2eId } = orphan;
    dependencies.logger.warn({ err: error, depositId, e2eId }, 'orphan receipt could not be sent back yet');
  }
}

async function takeStep(dependencies: RoutingDependencies, orphan: OrphanReceiptRow): Promise<void> {
  const route = routeFor(dependencies, orphan);
  if (nextStep(orphan, route.provider.capabilities.consistentLookup) === 'look up') {
    await askAboutOrphan(dependencies, orphan);
    return;
  }
  const announcedAt = await announceCall(dependencies, 'orphan_receipt', orphan);
  if (!announcedAt) return;
  const deposit = await depositOf(dependencies, orphan);
  // An adapter promises not to throw; where one does all the same, the call may have been made.
  const lost = (error: unknown): ReturnAnswer => ({ kind: 'unknown', cause: String(error) });
  const answer = await sendBack(route, deposit, orphan).catch(lost);
  await recordOrphanAnswer(dependencies, orphan, answer, announcedAt);
}

async function depositOf(
  { database }: RoutingDependencies,
  { environment, accountId, depositId: id }: OrphanReceiptRow,
) {
  return await database.reader().findOneOrFail(DepositEntity, { environment, accountId, id });
}

function routeFor({ chargeRoutes }: RoutingDependencies, { environment, provider }: OrphanReceiptRow): ChargeRoute {
  const route = routeOf(chargeRoutes, environment, provider);
  if (!route) throw new ProviderUnavailableError(undefined, `provider ${provider} is not configured`);
  return route;
}
