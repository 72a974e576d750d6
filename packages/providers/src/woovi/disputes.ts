import { asked } from '#src/certainty.ts';
import type { DisputeFact, DisputeLookup, DisputeState, EvidenceInput, EvidenceOutcome } from '#src/disputes.ts';
import type { ProviderEvent } from '#src/notifications.ts';
import type { CallOptions, NotSent } from '#src/outcomes.ts';
import { isNotFound, refusal, wooviLookedUp, type WooviConnection } from '#src/woovi/connection.ts';
import { foundDisputeSchema, type WooviDispute } from '#src/woovi/wire.ts';

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

/**
 * The state of a dispute as an event. There is one per payment, so the payment's id names it. `learnedAt` is when a
 * notification was received, or the question was asked: it stands for the time where Woovi states none.
 */
export function eventOfDispute(
  providerId: string,
  { dispute, raw, learnedAt }: { readonly dispute: WooviDispute; readonly raw: unknown; readonly learnedAt: Date },
): DisputeFact {
  const { endToEndId: e2eId, value: amount, status, id: providerRef, createdAt, updatedAt } = dispute;
  const type = eventTypes[status];
  // One that is taken up again is opened anew, at the time of that.
  const at = updatedAt ?? (type === 'dispute.opened' ? createdAt : undefined) ?? learnedAt;
  return {
    type,
    dedupeKey: [providerId, 'dispute', e2eId, type, updatedAt?.toISOString() ?? ''].join(':'),
    at,
    raw,
    disputeRef: e2eId,
    ...(providerRef === undefined ? {} : { providerRef }),
    e2eId,
    ...(amount === undefined ? {} : { money: { currency: 'BRL', amount } }),
    reason: 'FRAUD',
    ...(type === 'dispute.opened' ? { dueAt: new Date(at.getTime() + evidenceDays * 86_400_000) } : {}),
  };
}

/** `GET /api/v1/dispute/{id}`, by the payment. Without an amount, the payment's own is what is contested. */
export async function getDisputes(
  connection: WooviConnection,
  { e2eId, paid }: DisputeLookup,
  options?: CallOptions,
): Promise<DisputeState> {
  const path = `/api/v1/dispute/${encodeURIComponent(e2eId)}`;
  // An answer is no newer than its question: of two that overtake each other, the one asked first is the older.
  const learnedAt = connection.now();
  const found = wooviLookedUp(await connection.call({ method: 'GET', path, schema: foundDisputeSchema }, options));
  if (found.status !== 'FOUND') return found;
  const { endToEndId = e2eId, value = paid, ...reported } = found.value.dispute;
  if (endToEndId !== e2eId) {
    return { status: 'UNAVAILABLE', cause: 'the provider answered with the dispute of another payment' };
  }
  const dispute = { ...reported, endToEndId, value };
  const fact = eventOfDispute(connection.config.id, { dispute, raw: found.value.dispute, learnedAt });
  return { status: 'FOUND', disputes: [asked(fact)] };
}

const descriptionMaxCharacters = 2_000;
const noDocuments: NotSent = {
  ...{ kind: 'not_sent', reason: 'unsupported' },
  cause: 'Woovi takes evidence as documents only',
};

/**
 * `POST /api/v1/dispute/:id/evidence`: documents at addresses, the text as their description. The id is in notifications
 * alone; without it, and where Woovi does not know it, the payment's id names the dispute as it does in the lookup.
 */
export async function submitEvidence(
  connection: WooviConnection,
  evidence: EvidenceInput,
  options?: CallOptions,
): Promise<EvidenceOutcome> {
  const { ref, text, documentUrls, providerRef, e2eId } = evidence;
  if (documentUrls.length === 0) return noDocuments;
  const description = text.slice(0, descriptionMaxCharacters);
  const documents = documentUrls.map((url, at) => ({ url, correlationID: `${ref}-${at + 1}`, description }));
  const send = async (id: string) => {
    const path = `/api/v1/dispute/${encodeURIComponent(id)}/evidence`;
    return await connection.call({ method: 'POST', path, body: { documents } }, options);
  };
  const first = await send(providerRef ?? e2eId);
  const unknownId = providerRef !== undefined && first.kind === 'rejected' && isNotFound(first);
  const outcome = unknownId ? await send(e2eId) : first;
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
