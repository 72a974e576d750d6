import { PayoutCanceled, PayoutFailed } from '@gateway/contracts/payouts';
import { outboxRow } from '@gateway/persistence';
import { isRejectedByPeople } from '#src/payout/failure-reasons.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { payoutEvent } from '#src/payout/present-payout.ts';
import { routeOf } from '#src/routing/payout-routes.ts';
import { askProvider } from '#src/settlement/ask-provider.ts';
import type { SettlementDependencies } from '#src/settlement/dependencies.ts';
import { isDecidedOtherwise, requireApplied, reverseCommand } from '#src/settlement/ledger-commands.ts';
import { atItsEnd } from '#src/settlement/plan-recheck.ts';
import { after, ledgerTimeoutMs } from '#src/settlement/timing.ts';

/**
 * Gives amount and fee back, then publishes FAILED or REJECTED, in that order: a reader who sees it finds the balance. What the
 * ledger has settled before that was paid, whatever was reported of it in the meantime.
 *
 * @returns null when another process has finished it
 */
export async function reversePayout(
  dependencies: SettlementDependencies,
  payout: PayoutRow,
): Promise<PayoutRow | null> {
  const { payouts, askLedger, now } = dependencies;
  const reversal = await askLedger(reverseCommand(payout), ledgerTimeoutMs);
  const settled = isDecidedOtherwise(reversal) ? await settledFirst(dependencies, payout) : undefined;
  if (settled !== undefined) return settled;
  requireApplied(reversal);
  const isRejected = payout.reversal === 'REJECTED';
  const move = isRejected ? 'reversedRejected' : 'reversedFailed';
  const end = atItsEnd(payout, isRejected ? 'REJECTED' : 'FAILED', now());
  const event = isRejectedByPeople(payout) ? PayoutCanceled : PayoutFailed;
  return await payouts.move(payout, move, end, (moved) => outboxRow(event, payoutEvent(moved, now())));
}

/** Undefined where that cannot have happened: the provider has not paid it, or does not answer from the record. */
async function settledFirst(
  { payouts, payoutRoutes, now, logger }: SettlementDependencies,
  payout: PayoutRow,
): Promise<PayoutRow | null | undefined> {
  const route = routeOf(payoutRoutes, payout);
  if (!route.answersFromRecord || !payout.sentAt) return undefined;
  const state = await askProvider(route, payout);
  if (state.status !== 'PAID') return undefined;
  logger.warn({ payoutId: payout.id }, 'payout was settled before it could be given up');
  const { providerRef, e2eId, paidAt } = state;
  const payment = { providerRef, e2eId, paidAt, dueAt: after(now(), 2 * ledgerTimeoutMs) };
  const noFailure = { reversal: null, failureReason: null, failureMessage: null };
  return await payouts.move(payout, 'settledFirst', { ...payment, ...noFailure });
}

/** The end is known and recorded; should the ledger not answer now, the money goes back a little later. */
export async function reverseIfAnswered(
  dependencies: SettlementDependencies,
  ended: PayoutRow,
): Promise<PayoutRow | null> {
  try {
    return await reversePayout(dependencies, ended);
  } catch (error) {
    dependencies.logger.warn({ err: error, payoutId: ended.id }, 'reversal has to wait');
    return ended;
  }
}
