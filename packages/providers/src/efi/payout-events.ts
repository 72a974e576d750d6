import type { Devolucao } from '#src/bacen/wire.ts';
import { sentNoticeSchema, type Sent, type SentNotice } from '#src/efi/wire.ts';
import { failureCodes } from '#src/failure-codes.ts';
import { failureCodeOf } from '#src/failure-taxonomy.ts';
import type { ProviderEvent } from '#src/notifications.ts';

interface PayoutNews extends Pick<Sent, 'endToEndId' | 'status' | 'gnExtras' | 'devolucoes'> {
  readonly idEnvio: string;
  readonly at: Date;
}

/** An item of a notification, where it is about a payout (`tipo` SOLICITACAO); null for every other. */
export function readPayoutNotice(
  providerId: string,
  { item, now }: { readonly item: unknown; readonly now: Date },
): ProviderEvent[] | null {
  const notice = sentNoticeSchema.safeParse(item);
  return notice.success ? eventsOfPayout(providerId, newsOfNotice(notice.data, now), item) : null;
}

export function newsOfSent(sent: Sent): PayoutNews {
  const { endToEndId, status, gnExtras, devolucoes, idEnvio, horario } = sent;
  return { endToEndId, status, gnExtras, devolucoes, idEnvio, at: horario.liquidacao ?? horario.solicitacao };
}

function newsOfNotice({ endToEndId, status, gnExtras, devolucoes, horario }: SentNotice, now: Date): PayoutNews {
  // A failure comes without a time (`"horario": null`).
  return { endToEndId, status, gnExtras, devolucoes, idEnvio: gnExtras.idEnvio, at: horario ?? now };
}

/** The end of a payout, and each part of it that came back. */
export function eventsOfPayout(providerId: string, news: PayoutNews, raw: unknown): ProviderEvent[] {
  const { idEnvio: ref, endToEndId: e2eId, status, at, gnExtras, devolucoes = [] } = news;
  const dedupeKey = `${providerId}:envio:${ref}:${status}`;
  switch (status) {
    case 'EM_PROCESSAMENTO':
      return [{ type: 'ignored', dedupeKey, at, raw, reason: 'the payout is in process' }];
    case 'NAO_REALIZADO': {
      const code = failureCodeOf(gnExtras?.erro?.codigo);
      const message = gnExtras?.erro?.motivo ?? failureCodes[code].meaning;
      return [{ type: 'payout.failed', dedupeKey, at, raw, ref, code, message }];
    }
    case 'REALIZADO':
      return [
        { type: 'payout.paid', dedupeKey, at, raw, ref, e2eId },
        ...devolucoes.flatMap((devolucao) => eventOfReturn(providerId, { ref, at, devolucao, raw }) ?? []),
      ];
  }
}

function eventOfReturn(
  providerId: string,
  { ref, at, devolucao, raw }: { ref: string; at: Date; devolucao: Devolucao; raw: unknown },
): ProviderEvent | null {
  if (devolucao.status !== 'DEVOLVIDO') return null;
  const returnId = devolucao.rtrId ?? devolucao.id;
  return {
    type: 'payout.returned',
    dedupeKey: `${providerId}:envio:${ref}:${returnId}`,
    at: devolucao.horario?.liquidacao ?? devolucao.horario?.solicitacao ?? at,
    raw,
    ref,
    money: { currency: 'BRL', amount: devolucao.valor },
    returnId,
    reason: devolucao.motivo,
  };
}
