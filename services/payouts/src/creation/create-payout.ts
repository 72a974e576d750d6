import { type Caller, requireNotFrozen, termsOf } from '@gateway/contracts/accounts';
import type { PayloadOf, ReplyOf } from '@gateway/contracts/messages';
import type * as contract from '@gateway/contracts/payouts';
import type { RpcCall } from '@gateway/messaging';
import { awaitCreation } from '#src/creation/await-creation.ts';
import { type CreatePayoutRequest, draftPayout, mustVerifyOwner, refusalOf } from '#src/creation/draft-payout.ts';
import { CreationUnderWayError, ProviderTimeoutError } from '#src/errors.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { toPayout } from '#src/payout/present-payout.ts';
import { type PayoutRoute, routeFor } from '#src/providers/payout-routes.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { reserveFunds } from '#src/steps/reserve-funds.ts';
import { sendPayout } from '#src/steps/send-payout.ts';

type Reply = ReplyOf<typeof contract.createPayout>;

/** Kept of the caller's time for the way back. */
const answerMarginMs = 300;
/** Time after the caller's has run out until a reservation counts as abandoned. */
const reservationGraceMs = 2_000;

/**
 * One payout per (environment, account, external_id), whatever a repeated body says (api.md 1). The unique constraint
 * decides between racing calls; the loser answers the winner's record, or tries itself when the winner was refused.
 *
 * @throws InsufficientFundsError, ReservationUnansweredError: nothing was created
 * @throws ProviderTimeoutError the payout exists and is PROCESSING
 */
export async function createPayout(
  dependencies: StepsDependencies,
  request: CreatePayoutRequest,
  call: RpcCall,
): Promise<Reply> {
  const { timeoutMs } = call;
  const deadlineMs = performance.now() + timeoutMs - answerMarginMs;
  const key = { environment: request.environment, accountId: request.account.id, externalId: request.externalId };
  const wanted = { ...request, verifyOwner: mustVerifyOwner(request) };
  const route = routeFor(dependencies.payoutRoutes, wanted, `${request.account.id} ${request.externalId}`);
  const refusal = refusalOf(request, route);
  for (;;) {
    const claimed = refusal || !route ? null : await claim(dependencies, request, route, timeoutMs);
    if (claimed) return { created: true, payout: toPayout(await execute(dependencies, claimed, deadlineMs)) };
    const payout = await awaitCreation(dependencies, key, call.signal);
    if (payout) return { created: false, payout: toPayout(payout) };
    if (refusal) throw refusal;
    if (call.signal.aborted) throw new CreationUnderWayError();
  }
}

/** Null when the external_id is taken. */
async function claim(
  { payouts, now }: StepsDependencies,
  request: CreatePayoutRequest,
  route: PayoutRoute,
  timeoutMs: number,
): Promise<PayoutRow | null> {
  const claimedAt = now();
  const abandonedAt = new Date(claimedAt.getTime() + timeoutMs + reservationGraceMs);
  const payout = draftPayout(request, route, claimedAt, abandonedAt);
  const { perDayCents } = termsOf(request.account, request.currency).payoutLimits;
  if (perDayCents !== null) return await payouts.insertWithinDay(payout, perDayCents);
  return (await payouts.insert(payout)) ? payout : null;
}

/**
 * Reserves and sends. Once it is being sent, "nothing was created" is no answer any more, whatever goes wrong: the
 * caller is asked to query. And a caller who has no more time does not cut the call to the provider short, which would
 * make a known outcome unknown: it goes on without the caller.
 */
async function execute(dependencies: StepsDependencies, claimed: PayoutRow, deadlineMs: number): Promise<PayoutRow> {
  const leftMs = () => Math.max(deadlineMs - performance.now(), 1);
  const reserved = await reserveFunds(dependencies, claimed, leftMs());
  if (reserved.state !== 'SENDING') return reserved;
  const sending = sendPayout(dependencies, reserved).catch((error: unknown) => {
    dependencies.logger.error({ err: error, payoutId: claimed.id }, 'sending was interrupted');
    return null;
  });
  const sent = await within(leftMs(), sending);
  if (!sent || sent.outcome === 'unknown') throw new ProviderTimeoutError(claimed.id);
  return sent.payout;
}

/** The result, or null when it is not there in time. */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result | null> {
  return await new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, null);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

export interface ConnectorDependencies extends StepsDependencies {
  /** Whose key it is, as the gateway answers now; throws AUTH_INVALID, and SERVICE_UNAVAILABLE when it does not answer. */
  readonly holderOf: (publicKey: string, timeoutMs: number) => Promise<Caller>;
}

/**
 * A payout the connector asks for. The account, its limits and its approval are those the gateway answers for the key, so
 * that a caller in the connector's name cannot choose them. Half of the time is kept for the payout itself.
 */
export async function createConnectorPayout(
  dependencies: ConnectorDependencies,
  { publicKey, ...wanted }: PayloadOf<{ payload: typeof contract.createConnectorPayout.request }>,
  call: RpcCall,
): Promise<ReplyOf<typeof contract.createConnectorPayout>> {
  const askedAt = performance.now();
  const { environment, account, apiVersion, frozen } = await dependencies.holderOf(publicKey, call.timeoutMs / 2);
  requireNotFrozen(frozen, 'money_out');
  const timeoutMs = call.timeoutMs - (performance.now() - askedAt);
  const request = { ...wanted, environment, account, apiVersion };
  const rest: RpcCall = {
    timeoutMs,
    // Created on first use, as that of the call.
    get signal() {
      return call.signal;
    },
  };
  return await createPayout(dependencies, request, rest);
}
