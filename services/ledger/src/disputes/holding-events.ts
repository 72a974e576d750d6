import { DisputeHoldingChanged } from '@gateway/contracts/ledger';
import { newId } from '@gateway/money';
import { outboxRow } from '@gateway/persistence';
import type { Decision } from '#src/posting/decision.ts';
import type { DisputeReference } from '#src/posting/reference.ts';

/** The events of a batch: one for each dispute that credits have changed, as it is after the batch. */
export function holdingEvents(decisions: readonly Decision[]): ReturnType<typeof outboxRow>[] {
  const changed = new Map<string, { readonly dispute: DisputeReference; readonly decision: Decision }>();
  for (const decision of decisions) {
    for (const reference of decision.alsoChanged) {
      if (reference.kind === 'dispute') changed.set(reference.id, { dispute: reference, decision });
    }
  }
  return [...changed.values()].map(({ dispute, decision }) =>
    outboxRow(DisputeHoldingChanged, {
      id: newId('event', decision.decidedAtMs),
      occurredAt: Math.floor(decision.decidedAtMs / 1_000),
      environment: decision.command.environment,
      accountId: dispute.accountId,
      disputeId: dispute.id,
      state: dispute.state,
      blocked: dispute.blocked,
      returned: dispute.returned,
      shortfall: dispute.shortfall,
      sequence: decision.sequence,
    }),
  );
}
