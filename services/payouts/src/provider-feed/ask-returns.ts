import { newId } from '@gateway/money';
import type { Asked, PayoutReturn as ReturnAtProvider } from '@gateway/providers';
import { needAttention } from '#src/payout/attention.ts';
import type { PayoutReturn, PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutChanges } from '#src/payout/payout-table.ts';
import { routeOf } from '#src/routing/payout-routes.ts';
import { askForReturns } from '#src/settlement/ask-provider.ts';
import { afterAnswer, afterNoAnswer, keepOpen } from '#src/settlement/plan-recheck.ts';
import { after, ledgerTimeoutMs } from '#src/settlement/timing.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';

/**
 * Asks the provider what has come back of a PAID payout, whatever its age, and puts on record what is new. What is told
 * and not among it stays open.
 *
 * @param toldIds returns a notification tells of
 * @returns the payout as it is then, its new parts still to be credited; null when somebody else is changing it
 */
export async function askReturns(
  dependencies: StepsDependencies,
  payout: PayoutRow,
  toldIds: readonly string[] = [],
): Promise<PayoutRow | null> {
  const { payouts, payoutRoutes, now, logger } = dependencies;
  const route = routeOf(payoutRoutes, payout);
  const answer = await askForReturns(route, payout);
  const at = now();
  if (answer.status !== 'FOUND') logger.warn({ payoutId: payout.id, ...answer }, 'returns could not be asked for');
  const noted = answer.status === 'FOUND' ? addReturns(dependencies, payout, answer.returns) : {};
  const known = new Set((noted.returns ?? payout.returns).map(({ returnId }) => returnId));
  const told = [...new Set([...(payout.unconfirmed?.returnIds ?? []), ...toldIds])];
  const missing = told.filter((returnId) => !known.has(returnId));
  const outcome = payout.unconfirmed?.outcome ?? false;
  const current = { ...payout, ...noted };
  if (missing.length > 0) {
    logger.warn({ payoutId: payout.id, missing }, 'a return that was told is not confirmed by the provider');
    return await payouts.amend(payout, { ...noted, ...keepOpen(current, { outcome, returnIds: missing }, at) });
  }
  const hasAnswered = answer.status !== 'UNAVAILABLE' || !route.provider.getPayoutReturns;
  const next = hasAnswered ? afterAnswer(current, at) : afterNoAnswer(at);
  // A notification that says nothing new leaves the plan as it is.
  const isPlanned = toldIds.length === 0 || payout.unconfirmed !== null;
  const changes = { ...noted, ...(isPlanned ? next : {}) };
  return Object.keys(changes).length === 0 ? payout : await payouts.amend(payout, changes);
}

/** Parts that are not on record yet. One that cannot be booked is on record too, for operators. */
export function addReturns(
  { now, logger }: Pick<StepsDependencies, 'now' | 'logger'>,
  payout: PayoutRow,
  found: readonly Asked<ReturnAtProvider>[],
): Pick<PayoutChanges, 'returns' | 'dueAt' | 'attentionAt' | 'attentionReason'> {
  const at = now();
  const returns: PayoutReturn[] = [...payout.returns];
  for (const { returnId, money, at: returnedAt } of found) {
    if (returns.some((part) => part.returnId === returnId)) continue;
    const fault = faultOf({ ...payout, returns }, money);
    const part = { id: newId('payoutReturn', at.getTime()), returnId, amount: money.amount, credited: false };
    returns.push({ ...part, returnedAt: returnedAt.toISOString(), ...(fault ? { notBooked: fault } : {}) });
    if (fault) logger.error({ payoutId: payout.id, returnId, money, fault }, 'a return cannot be booked');
  }
  const added = returns.slice(payout.returns.length);
  if (added.length === 0) return {};
  const isFaulty = added.some(({ notBooked }) => notBooked !== undefined);
  const isToBook = added.some(({ notBooked }) => notBooked === undefined);
  return {
    returns,
    ...(isToBook ? { dueAt: after(at, 2 * ledgerTimeoutMs) } : {}),
    ...(isFaulty ? needAttention(payout, 'return_not_booked', at) : {}),
  };
}

function faultOf(payout: PayoutRow, { currency, amount }: ReturnAtProvider['money']): PayoutReturn['notBooked'] {
  if (currency !== payout.currency) return 'other_currency';
  return amount > payout.amount - returnedAmount(payout) ? 'exceeds_payout' : undefined;
}

/** What has come back so far, whether it is in the balance yet or not; minor units. */
export function returnedAmount({ returns }: Pick<PayoutRow, 'returns'>): number {
  return returns.reduce((sum, part) => sum + (part.notBooked ? 0 : part.amount), 0);
}
