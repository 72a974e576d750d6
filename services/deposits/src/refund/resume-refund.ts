import type { RoutingDependencies } from '#src/routing/dependencies.ts';
import { DepositEntity } from '#src/deposit/deposit-entity.ts';
import { routeOf, type ChargeRoute } from '#src/routing/charge-routes.ts';
import { recordAnswer } from '#src/refund/record-answer.ts';
import type { RefundRow } from '#src/refund/refund-entity.ts';
import { redebitRefund, reverseRefund } from '#src/refund/reverse-refund.ts';
import { announceCall } from '#src/returns/announce-call.ts';
import { afterLostCall, nextStep, type ReturnAnswer } from '#src/returns/return-progress.ts';
import { lookUpReturn, sendBack } from '#src/returns/send-back.ts';

/**
 * Takes a refund as far as it goes now: sent or asked about, and given back to the balance where the provider refused.
 *
 * @param refund claimed by the caller: nobody else makes a call for it meanwhile
 */
export async function resumeRefund(dependencies: RoutingDependencies, refund: RefundRow): Promise<RefundRow> {
  const sent = refund.state === 'SENDING' ? await takeStep(dependencies, refund) : refund;
  const reversed = sent.state === 'REVERSING' ? await reverseRefund(dependencies, sent) : sent;
  return reversed.state === 'REDEBITING' ? await redebitRefund(dependencies, reversed) : reversed;
}

/** Asks its provider what has become of a refund, whatever is on record; harmless at any time. */
export async function askAboutRefund(dependencies: RoutingDependencies, refund: RefundRow): Promise<RefundRow> {
  const route = routeOrWarn(dependencies, refund);
  if (!route) return refund;
  const answer = await lookUpReturn(route, await depositOf(dependencies, refund), refund);
  return await recordAnswer(dependencies, refund, answer, null);
}

async function takeStep(dependencies: RoutingDependencies, claimed: RefundRow): Promise<RefundRow> {
  const route = routeOrWarn(dependencies, claimed);
  if (!route) return claimed;
  const refund = await clearLostCall(dependencies, claimed);
  if (nextStep(refund, route.provider.capabilities.consistentLookup) === 'look up') {
    return await askAboutRefund(dependencies, refund);
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
