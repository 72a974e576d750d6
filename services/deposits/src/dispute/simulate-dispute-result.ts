import type { simulateDisputeResult as resultContract } from '@gateway/contracts/deposits';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { requireRailCurrency } from '@gateway/money';
import { simulateDisputeResolved } from '@gateway/providers';
import type { RpcCall } from '@gateway/messaging';
import type { DisputeDependencies } from '#src/dispute/dependencies.ts';
import { findDispute } from '#src/dispute/find-dispute.ts';
import { applyDisputeEvent } from '#src/dispute/apply-dispute-event.ts';
import { shownDispute } from '#src/dispute/to-dispute.ts';
import { InvalidDisputeStateError } from '#src/errors.ts';

/** Kept of the caller's time for the database and the way back. */
const answerMarginMs = 500;

/** Decides a test dispute, by the real flow. */
export async function simulateDisputeResult(
  dependencies: DisputeDependencies,
  request: RequestOf<typeof resultContract>,
  { timeoutMs }: Pick<RpcCall, 'timeoutMs'>,
): Promise<ReplyOf<typeof resultContract>> {
  const { database, now } = dependencies;
  const dispute = await findDispute(database, request);
  const { environment, provider, disputeRef, e2eId, amount, currency, state, verdict } = dispute;
  const { result } = request;
  if (verdict && verdict !== result) throw new InvalidDisputeStateError(state);
  if (state === 'WON' || state === 'LOST') return { dispute: await shownDispute(database.reader(), dispute) };
  const money = { currency: requireRailCurrency(currency), amount };
  const event = simulateDisputeResolved({ disputeRef, e2eId, money, result, at: now() });
  const budgetMs = Math.max(timeoutMs - answerMarginMs, answerMarginMs);
  const decided = await applyDisputeEvent(dependencies, { environment, provider }, event, budgetMs);
  return { dispute: await shownDispute(database.reader(), decided) };
}
