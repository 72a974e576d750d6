import type { BacenConnection } from '#src/bacen/connection.ts';
import { refusal } from '#src/bacen/problem.ts';
import type { EvidenceInput, EvidenceOutcome } from '#src/disputes.ts';
import type { Infraction } from '#src/efi/wire.ts';
import type { ProviderEvent } from '#src/notifications.ts';
import type { CallOptions } from '#src/outcomes.ts';

/** `justificativa`; the documentation gives no bound, this is what MED's own reports take. */
const justificationMaxCharacters = 2_000;

/**
 * The state of an infraction as an event. Efí sends no notification about them: they are found in the list.
 * ACEITA means that the payer's claim was accepted, so for the merchant it is lost.
 */
export function eventOfInfraction(providerId: string, infraction: Infraction, raw: unknown): ProviderEvent {
  const { idInfracao: disputeRef, endToEndId: e2eId, valor: amount, status, criadoEm } = infraction;
  // Reopened after its end, an infraction has a new time of change and is news again.
  const at = infraction.atualizadoEm ?? criadoEm;
  return {
    type: eventTypes[status],
    dedupeKey: `${providerId}:infracao:${disputeRef}:${status}:${at.toISOString()}`,
    at,
    raw,
    disputeRef,
    e2eId,
    money: { currency: 'BRL', amount },
    reason: infraction.tipoSituacao?.includes('operacional') ? 'OPERATIONAL_FLAW' : 'FRAUD',
    dueAt: infraction.dadosAnalise?.prazoFinalizacao,
  };
}

const eventTypes = {
  ABERTA: 'dispute.opened',
  EM_DEFESA: 'dispute.review',
  ACEITA: 'dispute.lost',
  REJEITADA: 'dispute.won',
  CANCELADA_EFI: 'dispute.won',
} as const satisfies Record<Infraction['status'], ProviderEvent['type']>;

/** `POST /v2/gn/infracoes/:id/defesa`. Documents are named in the text: Efí takes no files here. */
export async function submitEvidence(
  connection: BacenConnection,
  { disputeRef, text, documentUrls }: EvidenceInput,
  options?: CallOptions,
): Promise<EvidenceOutcome> {
  const justificativa = [text, ...documentUrls].join('\n').slice(0, justificationMaxCharacters);
  const outcome = await connection.call(
    {
      method: 'POST',
      path: `/v2/gn/infracoes/${encodeURIComponent(disputeRef)}/defesa`,
      body: { analise: 'rejeitado', justificativa },
    },
    options,
  );
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
