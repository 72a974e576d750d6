import type { Devolucao, Pix } from '#src/bacen/wire.ts';
import type { ChargeReceipt, PayerDetails } from '#src/charges.ts';
import { failureCodeOf } from '#src/failure-taxonomy.ts';
import type { ProviderEvent } from '#src/notifications.ts';

/** The payment as one that arrived on a charge. */
export function receiptOf(pix: Pix): ChargeReceipt {
  return {
    e2eId: pix.endToEndId,
    money: { currency: 'BRL', amount: pix.valor },
    paidAt: pix.horario,
    payer: payerOf(pix),
  };
}

/**
 * What a received Pix reports: the payment itself, and each of its returns that has ended. Providers repeat the payment
 * when a return ends; its dedupe key stays the same.
 */
export function eventsOfPix(providerId: string, pix: Pix, raw: unknown): ProviderEvent[] {
  const returns = (pix.devolucoes ?? []).flatMap(
    (devolucao) => eventOfReturn(providerId, { pix, devolucao, raw }) ?? [],
  );
  return [eventOfPayment(providerId, pix, raw), ...returns];
}

/** The payment itself. */
export function eventOfPayment(providerId: string, pix: Pix, raw: unknown): ProviderEvent {
  const { endToEndId: e2eId, txid, horario: at } = pix;
  if (txid === undefined) {
    const dedupeKey = `${providerId}:pix:${e2eId}`;
    return { type: 'ignored', dedupeKey, at, raw, reason: 'a payment without txid belongs to no charge' };
  }
  const { money, payer } = receiptOf(pix);
  return { type: 'charge.paid', dedupeKey: `${providerId}:pix:${e2eId}`, at, raw, ref: txid, e2eId, money, payer };
}

/** Whether money was taken back that the gateway did not send: the standard's only sign of a lost dispute. */
export function isMedReturn({ natureza }: Devolucao): boolean {
  return natureza?.startsWith('MED_') ?? false;
}

/** A return that has ended; null while it is under way, and for one under MED that was not carried out. */
export function eventOfReturn(
  providerId: string,
  { pix, devolucao, raw }: { readonly pix: Pix; readonly devolucao: Devolucao; readonly raw: unknown },
): ProviderEvent | null {
  if (devolucao.status === 'EM_PROCESSAMENTO') return null;
  const at = devolucao.horario?.liquidacao ?? devolucao.horario?.solicitacao ?? pix.horario;
  const dedupeKey = `${providerId}:devolucao:${pix.endToEndId}:${devolucao.id}:${devolucao.status}`;
  const { id: ref, rtrId: returnId = devolucao.id } = devolucao;
  if (isMedReturn(devolucao)) {
    if (devolucao.status === 'NAO_REALIZADO') return null;
    const money = { currency: 'BRL', amount: devolucao.valor } as const;
    const reason = devolucao.natureza === 'MED_OPERACIONAL' ? 'OPERATIONAL_FLAW' : 'FRAUD';
    const facts = { disputeRef: ref, e2eId: pix.endToEndId, money, reason, returnId } as const;
    return { type: 'dispute.lost', dedupeKey, at, raw, ...facts, returns: [{ id: ref, amount: devolucao.valor }] };
  }
  const named = { ref, e2eId: pix.endToEndId };
  if (devolucao.status === 'DEVOLVIDO') return { type: 'refund.done', dedupeKey, at, raw, ...named, returnId };
  const message = devolucao.motivo ?? 'the return was not carried out';
  return { type: 'refund.failed', dedupeKey, at, raw, ...named, code: failureCodeOf(devolucao.motivo), message };
}

/** The standard has no payer; providers add one of their own. */
function payerOf({ pagador, gnExtras }: Pix): PayerDetails | undefined {
  const reported = gnExtras?.pagador ?? pagador;
  if (!reported) return undefined;
  return { name: reported.nome, document: reported.cpf ?? reported.cnpj, ispb: reported.codigoBanco };
}
