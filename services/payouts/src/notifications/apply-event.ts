import type { Grade, PaymentProvider, ProviderEvent } from '@gateway/providers';
import type { Dependencies } from '#src/dependencies.ts';
import { ChangingError } from '#src/errors.ts';
import { publicStatus } from '#src/payout/life-cycle.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { routeOf } from '#src/providers/payout-routes.ts';
import { carryOn } from '#src/settlement/carry-on.ts';
import { confirmPayout } from '#src/settlement/confirm-payout.ts';
import { failPayout } from '#src/settlement/fail-payout.ts';
import { askProvider } from '#src/settlement/ask-provider.ts';
import { noteReturn } from '#src/settlement/note-return.ts';

export type PayoutEvent = Extract<ProviderEvent, { type: `payout.${string}` }>;
type ReturnEvent = Extract<PayoutEvent, { type: 'payout.returned' }>;

/** How far around the time of a return its provider's list is read. */
const listMarginMs = 86_400_000;
const listTimeoutMs = 10_000;

/** Says no more than what to look up. */
function isHint(grade: Grade): boolean {
  return grade === 'hint' || grade === 'platform';
}

export function isPayoutEvent(event: ProviderEvent): event is PayoutEvent {
  return event.type.startsWith('payout.');
}

/**
 * Follows what a provider says of one of our payouts. What is only a hint makes us ask instead (DESIGN 7).
 *
 * @throws ChangingError when the payout cannot follow now
 */
export async function applyEvent(
  dependencies: Dependencies,
  { provider, event, grade }: { provider: string; event: PayoutEvent; grade: Grade },
): Promise<void> {
  const payout = await dependencies.payouts.findById(`pyt_${event.ref}`);
  const ours = payout?.environment === 'live' && payout.provider === provider && publicStatus(payout.state) !== null;
  if (!ours) return dependencies.logger.warn({ provider, ref: event.ref }, 'notification of an unknown payout');
  if (event.type === 'payout.returned') return await creditReturn(dependencies, payout, event, grade);
  const changed = await (isHint(grade) ? ask : follow)(dependencies, payout, event);
  if (!changed) throw new ChangingError();
  await carryOn(dependencies, changed);
}

async function follow(
  dependencies: Dependencies,
  payout: PayoutRow,
  event: Exclude<PayoutEvent, ReturnEvent>,
): Promise<PayoutRow | null> {
  if (event.type === 'payout.paid') return await confirmPayout(dependencies, payout, { ...event, paidAt: event.at });
  return await failPayout(dependencies, payout, event);
}

/** A hint. What has not ended is looked up by being carried on; a payment after the end is asked about here. */
async function ask(
  dependencies: Dependencies,
  payout: PayoutRow,
  event: Exclude<PayoutEvent, ReturnEvent>,
): Promise<PayoutRow | null> {
  const hasEnded = payout.state === 'FAILED' || payout.state === 'REJECTED';
  if (event.type !== 'payout.paid' || !hasEnded || !payout.sentAt) return payout;
  const state = await askProvider(routeOf(dependencies.payoutRoutes, payout), payout);
  if (state.status !== 'PAID') return payout;
  return await confirmPayout(dependencies, payout, { e2eId: state.e2eId, paidAt: state.paidAt });
}

async function creditReturn(
  dependencies: Dependencies,
  payout: PayoutRow,
  event: ReturnEvent,
  grade: Grade,
): Promise<void> {
  const { provider } = routeOf(dependencies.payoutRoutes, payout);
  if (isHint(grade) && !(await isListed(provider, event))) {
    return dependencies.logger.error({ payoutId: payout.id, returnId: event.returnId }, 'return is not in the list');
  }
  // The return proves that it was paid; its own end has to be on record first.
  const paid = payout.state === 'PAID' ? payout : await carryOn(dependencies, payout);
  if (paid.state !== 'PAID') throw new ChangingError();
  const noted = await noteReturn(dependencies, paid, {
    ...{ returnId: event.returnId, amount: event.money.amount, returnedAt: event.at.toISOString() },
  });
  if (!noted) throw new ChangingError();
  await carryOn(dependencies, noted);
}

/** What the provider lists over our own connection is believed, also where its notifications are not. */
async function isListed(provider: PaymentProvider, { at, dedupeKey, money }: ReturnEvent): Promise<boolean> {
  const from = new Date(at.getTime() - listMarginMs);
  const to = new Date(at.getTime() + listMarginMs);
  const listed = provider.listChanges?.(from, to, { signal: AbortSignal.timeout(listTimeoutMs) }) ?? [];
  for await (const event of listed) {
    if (event.dedupeKey !== dedupeKey || event.type !== 'payout.returned') continue;
    return event.money.amount === money.amount;
  }
  return false;
}
