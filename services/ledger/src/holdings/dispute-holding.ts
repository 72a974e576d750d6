import { NotFoundError } from '@gateway/contracts/errors';
import { DisputeHoldingChanged, type getDisputeHolding } from '@gateway/contracts/ledger';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { newId } from '@gateway/money';
import { outboxRow, type Database } from '@gateway/persistence';
import type { Decision } from '#src/decision/decision.ts';
import type { DisputeReference } from '#src/posting/reference.ts';

const text = `
  select state, held as blocked, used as returned, due_at as "captureUntil", shortfall
  from reference where environment = $1 and id = $3 and kind = 'dispute' and account_id = $2`;

/** @throws NotFoundError when the account has no such dispute */
export async function readDisputeHolding(
  database: Database,
  { environment, accountId, disputeId }: RequestOf<typeof getDisputeHolding>,
): Promise<ReplyOf<typeof getDisputeHolding>> {
  const params = [environment, accountId, disputeId];
  const [holding] = await database.query<ReplyOf<typeof getDisputeHolding>>(text, params, 'dispute-holding');
  if (!holding) throw new NotFoundError('dispute');
  return holding;
}

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
