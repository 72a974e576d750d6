import type { EvidenceInput, EvidenceOutcome } from '#src/disputes.ts';
import type { ProviderEvent } from '#src/notifications.ts';
import type { CallOptions } from '#src/outcomes.ts';
import { refusal, wooviLookedUp, type WooviConnection } from '#src/woovi/connection.ts';
import { disputeReplySchema, type WooviDispute } from '#src/woovi/wire.ts';

/** Woovi's period for evidence. */
const evidenceDays = 3;

const eventTypes = {
  CREATED: 'dispute.opened',
  OPENED: 'dispute.opened',
  IN_REVIEW: 'dispute.review',
  // Woovi accepts or rejects the payer's claim: accepted is lost for the merchant.
  ACCEPTED: 'dispute.lost',
  REJECTED: 'dispute.won',
  CANCELED: 'dispute.won',
} as const satisfies Record<WooviDispute['status'], ProviderEvent['type']>;

/** The state of a dispute as an event. There is one per payment, so the payment's id names it. */
export function eventOfDispute(
  providerId: string,
  { dispute, raw, now }: { readonly dispute: WooviDispute; readonly raw: unknown; readonly now: Date },
): ProviderEvent {
  const { endToEndId: e2eId, value: amount, status, id: providerRef, createdAt, updatedAt } = dispute;
  const type = eventTypes[status];
  // One that is taken up again is opened anew, at the time of that.
  const at = updatedAt ?? (type === 'dispute.opened' ? createdAt : undefined) ?? now;
  return {
    type,
    dedupeKey: [providerId, 'dispute', e2eId, type, updatedAt?.toISOString() ?? ''].join(':'),
    at,
    raw,
    disputeRef: e2eId,
    providerRef,
    e2eId,
    money: { currency: 'BRL', amount },
    reason: 'FRAUD',
    ...(type === 'dispute.opened' ? { dueAt: new Date(at.getTime() + evidenceDays * 86_400_000) } : {}),
  };
}

const descriptionMaxCharacters = 2_000;

/** `POST /api/v1/dispute/:id/evidence`: documents at addresses, the text as their description. */
export async function submitEvidence(
  connection: WooviConnection,
  evidence: EvidenceInput,
  options?: CallOptions,
): Promise<EvidenceOutcome> {
  const { ref, text, documentUrls } = evidence;
  if (documentUrls.length === 0) {
    return { kind: 'not_sent', reason: 'unsupported', cause: 'Woovi takes evidence as documents only' };
  }
  const id = evidence.providerRef ?? (await findDisputeId(connection, evidence.e2eId, options));
  const description = text.slice(0, descriptionMaxCharacters);
  const documents = documentUrls.map((url, at) => ({ url, correlationID: `${ref}-${at + 1}`, description }));
  const path = `/api/v1/dispute/${encodeURIComponent(id)}/evidence`;
  const outcome = await connection.call({ method: 'POST', path, body: { documents } }, options);
  switch (outcome.kind) {
    case 'answered':
      return { kind: 'accepted' };
    case 'rejected':
      return refusal(outcome);
    case 'not_sent':
    case 'unknown':
      return outcome;
  }
}

/** The dispute's own id, where the lookup tells it; the lookup itself goes by the payment. */
async function findDisputeId(
  connection: WooviConnection,
  e2eId: string,
  options: CallOptions | undefined,
): Promise<string> {
  const path = `/api/v1/dispute/${encodeURIComponent(e2eId)}`;
  const found = wooviLookedUp(await connection.call({ method: 'GET', path, schema: disputeReplySchema }, options));
  return (found.status === 'FOUND' ? found.value.dispute.id : undefined) ?? e2eId;
}
