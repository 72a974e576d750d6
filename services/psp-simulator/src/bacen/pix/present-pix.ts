import { parseDocument } from '@gateway/pix';
import { amountText } from '#src/bacen/amount.ts';
import { payerIspb } from '#src/bank/bank.ts';
import type { ReceivedPayment } from '#src/account/received-payment.ts';
import type { Refund, RefundStatus } from '#src/account/refund.ts';

const refundStatusNames = {
  PROCESSING: 'EM_PROCESSAMENTO',
  DONE: 'DEVOLVIDO',
  FAILED: 'NAO_REALIZADO',
} as const satisfies Record<RefundStatus, string>;

export interface PixFacts {
  readonly payment: ReceivedPayment;
  readonly txid: string;
  /** The key that received. */
  readonly key: string;
  readonly refunds: readonly Refund[];
}

/** A received Pix (schema `Pix`); the payer is told as Efí does. */
export function presentPix({ payment, txid, key, refunds }: PixFacts): object {
  const { name: nome, document } = payment.payer;
  const parsed = parseDocument(document);
  return {
    endToEndId: payment.e2eId,
    txid,
    chave: key,
    valor: amountText(payment.amount),
    horario: payment.paidAt.toISOString(),
    gnExtras: { pagador: { nome, ...(parsed.ok ? { [parsed.kind]: document } : {}), codigoBanco: payerIspb } },
    ...(refunds.length > 0 ? { devolucoes: refunds.map(presentRefund) } : {}),
  };
}

/** A refund (schema `Devolucao`). */
export function presentRefund(refund: Refund): object {
  return {
    id: refund.reference,
    rtrId: refund.returnId,
    valor: amountText(refund.amount),
    natureza: refund.nature,
    ...(refund.description === null ? {} : { descricao: refund.description }),
    horario: {
      solicitacao: refund.requestedAt.toISOString(),
      ...(refund.settledAt && refund.status === 'DONE' ? { liquidacao: refund.settledAt.toISOString() } : {}),
    },
    status: refundStatusNames[refund.status],
    ...(refund.failure === null ? {} : { motivo: refund.failure }),
  };
}
