import { LockMode } from '@mikro-orm/core';
import { DepositEntity } from '#src/deposit/deposit-entity.ts';
import { ProviderUnavailableError } from '#src/errors.ts';
import { redebitRefund, reverseRefund } from '#src/refund/ledger-steps.ts';
import { giveUpRefund } from '#src/refund/move-refund.ts';
import { recordAnswer } from '#src/refund/record-answer.ts';
import { RefundEntity, type RefundRow } from '#src/refund/refund-entity.ts';
import { releaseRefund } from '#src/refund/release-refund.ts';
import { isSentOverWire } from '#src/refund/reserve-refund.ts';
import { afterLostCall, nextStep, type ReturnAnswer } from '#src/returns/return-progress.ts';
import { announceCall } from '#src/returns/return-record.ts';
import { nextAttempt } from '#src/returns/return-schedule.ts';
import { lookUpReturn, returnLeaseMs, sendBack } from '#src/returns/send-back.ts';
import { type ChargeRoute, routeOf } from '#src/routing/charge-routes.ts';
import type { RoutingDependencies } from '#src/routing/dependencies.ts';

/**
 * Takes a refund as far as it goes now: sent or asked about, and given back to the balance where the provider refused, where
 * it came back, or where its creation was given up.
 *
 * @param refund claimed by the caller: no other process makes a call for it as long
 */
export async function resumeRefund(dependencies: RoutingDependencies, refund: RefundRow): Promise<RefundRow> {
  const kept =
    refund.state === 'RELEASING'
      ? await releaseRefund(dependencies, refund, async (row) => await answerAbout(dependencies, row))
      : refund;
  const sent = kept.state === 'SENDING' ? await takeStep(dependencies, kept) : kept;
  const reversed = sent.state === 'REVERSING' ? await reverseRefund(dependencies, sent) : sent;
  const redebited = reversed.state === 'REDEBITING' ? await redebitRefund(dependencies, reversed) : reversed;
  return redebited.state === 'REVERSING' ? await reverseRefund(dependencies, redebited) : redebited;
}

/**
 * Asks its provider what has become of a refund, whatever is on record; harmless at any time.
 *
 * @returns the refund as it is on record then, and the answer
 * @throws ProviderUnavailableError where an answer is needed and none comes
 */
export async function askAboutRefund(
  dependencies: RoutingDependencies,
  refund: RefundRow,
  { needsAnswer = false } = {},
): Promise<{ readonly row: RefundRow; readonly answer: ReturnAnswer }> {
  const answer = await answerAbout(dependencies, refund);
  if (answer.kind === 'unavailable' && needsAnswer) throw new ProviderUnavailableError(answer.cause);
  return { row: await recordAnswer(dependencies, refund, answer, null), answer };
}

async function answerAbout(dependencies: RoutingDependencies, refund: RefundRow): Promise<ReturnAnswer> {
  const route = routeOrWarn(dependencies, refund);
  if (!route) return { kind: 'unavailable', cause: 'its provider is not configured' };
  return await lookUpReturn(route, await depositOf(dependencies, refund), refund);
}

async function takeStep(dependencies: RoutingDependencies, claimed: RefundRow): Promise<RefundRow> {
  const route = routeOrWarn(dependencies, claimed);
  if (!route) return claimed;
  const refund = await clearLostCall(dependencies, claimed);
  if (nextStep(refund, route.provider.capabilities.consistentLookup) === 'look up') {
    return (await askAboutRefund(dependencies, refund)).row;
  }
  const ofCall = await announceCall(dependencies, 'refund', refund);
  if (!ofCall) return refund;
  const answer = await call(route, () => depositOf(dependencies, refund), refund);
  return await recordAnswer(dependencies, refund, answer, ofCall);
}

/** An adapter promises not to throw; where one does all the same, the call may have been made. */
async function call(
  route: ChargeRoute,
  deposit: () => ReturnType<typeof depositOf>,
  refund: RefundRow,
): Promise<ReturnAnswer> {
  try {
    return await sendBack(route, await deposit(), refund);
  } catch (error) {
    return { kind: 'unknown', cause: String(error) };
  }
}

/** The process that made the call died, or its answer could not be written down: it may have been carried out. */
async function clearLostCall({ database }: RoutingDependencies, refund: RefundRow): Promise<RefundRow> {
  const { environment, accountId, id, callStartedAt } = refund;
  if (!callStartedAt) return refund;
  const changes = afterLostCall(refund);
  await database.query(
    `update refund set call_started_at = null, unknown_since = $5, not_found_count = 0, not_found_since = null
     where environment = $1 and account_id = $2 and id = $3 and call_started_at = $4`,
    [environment, accountId, id, callStartedAt, changes.unknownSince],
  );
  return { ...refund, ...changes };
}

async function depositOf({ database }: RoutingDependencies, { environment, accountId, depositId: id }: RefundRow) {
  return await database.reader().findOneOrFail(DepositEntity, { environment, accountId, id });
}

function routeOrWarn(
  { chargeRoutes, logger }: RoutingDependencies,
  { environment, provider, id: refundId }: RefundRow,
) {
  const route = routeOf(chargeRoutes, environment, provider);
  if (!route) logger.warn({ refundId, provider }, 'provider of a refund is not configured');
  return route;
}

const batchMax = 50;

/**
 * Goes on with refunds that are not decided: the provider is still at it, or the process that drove them died.
 * Answers true when there may be more.
 */
export async function finishRefunds(dependencies: RoutingDependencies): Promise<boolean> {
  const due = await claimDue(dependencies);
  await Promise.all(due.map((refund) => finish(dependencies, refund)));
  return due.length === batchMax;
}

async function claimDue({ database, now }: RoutingDependencies): Promise<RefundRow[]> {
  return await database.transaction(async (tx) => {
    const due = await tx.em.find(
      RefundEntity,
      { nextAttemptAt: { $lte: now() } },
      { orderBy: { nextAttemptAt: 'asc' }, limit: batchMax, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
    );
    for (const refund of due) {
      refund.nextAttemptAt = leaseOf(refund, now());
      refund.attempts += 1;
    }
    return due;
  });
}

/** A provider is not asked twice at once; the ledger may be asked as often as one likes. */
function leaseOf({ state, attempts }: RefundRow, now: Date): Date {
  return state === 'SENDING' ? new Date(now.getTime() + returnLeaseMs) : nextAttempt(attempts, now);
}

async function finish(dependencies: RoutingDependencies, refund: RefundRow): Promise<void> {
  const { id: refundId, attempts } = refund;
  try {
    // The time of the call that was reserving it is over.
    const knownUnsent = !isSentOverWire(dependencies, refund);
    const kept = refund.state === 'RESERVING' ? await giveUpRefund(dependencies, refund, { knownUnsent }) : refund;
    if (kept) await resumeRefund(dependencies, kept);
  } catch (error) {
    dependencies.logger.warn({ err: error, refundId, attempts }, 'refund could not be finished yet');
  }
}
