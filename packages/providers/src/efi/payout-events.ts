import { sentNoticeSchema, type Sent, type SentNotice } from '#src/efi/wire.ts';
import type { PayoutReturn } from '#src/payouts.ts';
import { failureCodes } from '#src/failure-codes.ts';
import { failureCodeOf } from '#src/failure-taxonomy.ts';
import type { ProviderEvent } from '#src/notifications.ts';

export interface PayoutNews extends Pick<Sent, 'endToEndId' | 'status' | 'gnExtras' | 'devolucoes'> {
  readonly idEnvio: string;
  readonly at: Date;
}

/** An item of a notification, where it is about a payout (`tipo` SOLICITACAO); null for every other. */
export function readPayoutNotice(
  providerId: string,
  { item, receivedAt }: { readonly item: unknown; readonly receivedAt: Date },
): ProviderEvent[] | null {
  const notice = sentNoticeSchema.safeParse(item);
  return notice.success ? eventsOfPayout(providerId, newsOfNotice(notice.data, receivedAt), item) : null;
}

export function newsOfSent(sent: Sent): PayoutNews {
  const { endToEndId, status, gnExtras, devolucoes, idEnvio, horario } = sent;
  return { endToEndId, status, gnExtras, devolucoes, idEnvio, at: horario.liquidacao ?? horario.solicitacao };
}

function newsOfNotice({ endToEndId, status, gnExtras, devolucoes, horario }: SentNotice, receivedAt: Date): PayoutNews {
  // A failure comes without a time (`"horario": null`).
  return { endToEndId, status, gnExtras, devolucoes, idEnvio: gnExtras.idEnvio, at: horario ?? receivedAt };
}

/** The end of a payout, and each part of it that came back. */
function eventsOfPayout(providerId: string, news: PayoutNews, raw: unknown): ProviderEvent[] {
  return [eventOfEnd(providerId, news, raw), ...eventsOfReturns(providerId, news, raw)];
}

/** What became of the payout itself. */
export function eventOfEnd(providerId: string, news: PayoutNews, raw: unknown): ProviderEvent {
  const { idEnvio: ref, endToEndId: e2eId, status, at, gnExtras } = news;
  const dedupeKey = `${providerId}:envio:${ref}:${status}`;
  switch (status) {
    case 'EM_PROCESSAMENTO':
      return { type: 'ignored', dedupeKey, at, raw, reason: 'the payout is in process' };
    case 'NAO_REALIZADO': {
      const code = failureCodeOf(gnExtras?.erro?.codigo);
      const message = gnExtras?.erro?.motivo ?? failureCodes[code].meaning;
      return { type: 'payout.failed', dedupeKey, at, raw, ref, code, message };
    }
    case 'REALIZADO':
      return { type: 'payout.paid', dedupeKey, at, raw, ref, e2eId };
  }
}

/** Each part that came back. */
export function eventsOfReturns(providerId: string, news: PayoutNews, raw: unknown): ProviderEvent[] {
  const { idEnvio: ref, endToEndId: e2eId } = news;
  return returnsOf(news).map(({ returnId, ...part }) => {
    const dedupeKey = `${providerId}:envio:${ref}:${returnId}`;
    return { type: 'payout.returned', dedupeKey, raw, ref, e2eId, returnId, ...part };
  });
}

export function returnsOf({ at: paidAt, devolucoes = [] }: Pick<PayoutNews, 'at' | 'devolucoes'>): PayoutReturn[] {
  return devolucoes
    .filter(({ status }) => status === 'DEVOLVIDO')
    .map(({ id, rtrId: returnId = id, valor: amount, horario, motivo: reason }) => ({
      returnId,
      money: { currency: 'BRL', amount },
      at: horario?.liquidacao ?? horario?.solicitacao ?? paidAt,
      ...(reason === undefined ? {} : { reason }),
    }));
}
