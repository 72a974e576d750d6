import { attentionFor, alarm } from '#src/returns/return-record.ts';
import { extendDisputes, askForReversal, ledgerTimeoutMs } from '#src/refund/ledger-steps.ts';
import { lockRefund, transitionRefund } from '#src/refund/move-refund.ts';
import { recordAnswer } from '#src/refund/record-answer.ts';
import type { RefundRow } from '#src/refund/refund-entity.ts';
import { refundCommandOf, removeUnreserved } from '#src/refund/reserve-refund.ts';
import { neverArrived, type ReturnAnswer } from '#src/returns/return-progress.ts';
import type { RoutingDependencies } from '#src/routing/dependencies.ts';

/** What is read of a refund by the id that the statement has of it (ADR 6). */
const abandoned = {
  failureReason: 'creation_abandoned',
  failureMessage: 'The call that asked for it was not answered in time; what was taken went back.',
} as const;

/**
 * Undoes a refund whose caller was answered 503, or died without an answer: "nothing was created" has to come true (api.md 1).
 * The debit is asked for once more, so that it is decided: reversing what is still under way would leave a debit that nothing
 * undoes. Refused, the record is gone; applied and given back, it stays, without its external_id.
 *
 * @param ask what its provider says of it now
 */
export async function releaseRefund(
  dependencies: RoutingDependencies,
  refund: RefundRow,
  ask: (refund: RefundRow) => Promise<ReturnAnswer>,
): Promise<RefundRow> {
  const { outcome, refusal, field } = await dependencies.askLedger(refundCommandOf(refund), ledgerTimeoutMs);
  if (outcome === 'conflict') throw new Error(`the ledger refuses to decide ${refund.id}: ${refusal ?? field ?? ''}`);
  if (mayHaveBeenSent(refund)) {
    const answer = await ask(refund);
    const isThere = answer.kind !== 'not_found' && answer.kind !== 'unavailable';
    if (isThere && outcome === 'refused') return await leaveToOperators(dependencies, refund);
    const row = await recordAnswer(dependencies, refund, answer, null);
    if (row.state !== 'RELEASING' || mayHaveBeenSent(row)) return row;
  }
  if (outcome === 'refused') {
    await removeUnreserved(dependencies, refund);
    return refund;
  }
  await askForReversal(dependencies, refund);
  return await recordGivenBack(dependencies, refund);
}

/** In what a restored database has forgotten, until its provider has denied it twice, two minutes apart. */
function mayHaveBeenSent({ unknownSince, notFoundCount }: RefundRow): boolean {
  return unknownSince ? notFoundCount < neverArrived.answers : false;
}

async function recordGivenBack({ database, now, logger }: RoutingDependencies, refund: RefundRow): Promise<RefundRow> {
  return await database.transaction(async (tx) => {
    const row = await lockRefund(tx, refund, false);
    if (row.state !== 'RELEASING') return row;
    await transitionRefund(tx, row, 'givenBack', { ...abandoned, releasedAt: now() }, now());
    await extendDisputes(tx, row, now());
    logger.info({ refundId: row.id }, 'abandoned refund given back');
    return row;
  });
}

/** The ledger has forgotten the debit as well and does not cover it now: the money may have left without one. */
async function leaveToOperators(dependencies: RoutingDependencies, refund: RefundRow): Promise<RefundRow> {
  const { database, now } = dependencies;
  if (refund.attention === 'contradiction') return refund;
  alarm(dependencies, 'refund', refund, 'sent although it was given up, and not debited');
  return await database.transaction(async (tx) => {
    const row = await lockRefund(tx, refund, false);
    return tx.em.assign(row, attentionFor(row, 'contradiction', now()));
  });
}
