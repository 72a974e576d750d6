import { PayoutProcessing } from '@gateway/contracts/payouts';
import { outboxRow } from '@gateway/persistence';
import type { PayoutState } from '@gateway/providers';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { payoutEvent } from '#src/payout/present-payout.ts';
import { askProvider } from '#src/providers/ask-provider.ts';
import { askableRoutes } from '#src/providers/payout-routes.ts';
import { heldBy } from '#src/steps/ask-elsewhere.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';

/** `nowhere`: every provider has answered that it does not have it. `unanswered`: one before them has not answered. */
type Whereabouts = { readonly kind: 'nowhere' } | { readonly kind: 'unanswered' } | Sent;

/** A provider has it. */
export interface Sent {
  readonly kind: 'found';
  readonly provider: string;
  readonly status: PayoutState['status'];
}

/**
 * Asks one provider after the other whether it has a payout that is on record as not sent. One that has refused it may have been
 * followed by another one that has paid it, so it is the answer only where no other has it.
 */
export async function findSent({ payoutRoutes }: StepsDependencies, payout: PayoutRow): Promise<Whereabouts> {
  let refused: Sent | undefined;
  for (const route of askableRoutes(payoutRoutes, payout)) {
    const { status } = await askProvider(route, payout);
    const found: Sent = { kind: 'found', provider: route.provider.id, status };
    if (status === 'UNAVAILABLE') return { kind: 'unanswered' };
    if (status === 'FAILED') refused ??= found;
    else if (status !== 'NOT_FOUND') return found;
  }
  return refused ?? { kind: 'nowhere' };
}

/** Has it go on as one that was sent to the provider that has it: it is looked up next. */
export async function followSent(
  { payouts, now }: StepsDependencies,
  payout: PayoutRow,
  move: 'foundSent' | 'foundUnapproved',
  provider: string,
): Promise<void> {
  const at = now();
  const found = { ...heldBy(provider, payout), sentAt: payout.createdAt, processingAt: at, dueAt: at };
  await payouts.move(payout, move, found, (moved) => outboxRow(PayoutProcessing, payoutEvent(moved, at)));
}
