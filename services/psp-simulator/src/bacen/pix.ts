import { parseDocument } from '@gateway/pix';
import { Charge } from '#src/account/charge.ts';
import { findPayment, listPayments, type Payer, type ReceivedPayment } from '#src/account/received-payment.ts';
import type { Refund, RefundStatus } from '#src/account/refund.ts';
import { amountText } from '#src/bacen/amount.ts';
import type { BacenBank } from '#src/bacen/bank.ts';
import type { CobDetails } from '#src/bacen/cob-request.ts';
import { pageQuerySchema, presentPage, windowOf } from '#src/bacen/page-query.ts';
import { Problem } from '#src/bacen/problem.ts';
import { payerIspb } from '#src/bank/bank.ts';
import { refundsOf, refundsOfAll } from '#src/movements/request-refund.ts';

/** `GET /pix/{e2eid}` */
export async function getPix({ database, account }: BacenBank, e2eId: string): Promise<object> {
  const payment = await findPayment(database, e2eId);
  if (payment?.dialect !== account.dialect) throw new Problem('PixNaoEncontrado');
  const charge = await database.reader().findOneOrFail(Charge, { id: payment.chargeId });
  const { chave: key } = charge.details as CobDetails;
  const refunds = await refundsOf({ sql: database.query.bind(database) }, payment.id);
  return presentPix({ payment, txid: charge.reference, key, refunds });
}

/** `GET /pix` */
export async function listPix({ database, account }: BacenBank, query: unknown): Promise<object> {
  const parsed = pageQuerySchema.safeParse(query);
  if (!parsed.success) throw new Problem('PixConsultaInvalida');
  const { inicio: from, fim: to, txid: charge, txIdPresente: hasTxid, devolucaoPresente: hasReturns } = parsed.data;
  // Every payment of the simulator was made on a charge: without a txid there are none.
  if (hasTxid === false) return { parametros: presentPage(parsed.data, 0), pix: [] };
  const window = windowOf(parsed.data);
  const { dialect } = account;
  const page = await listPayments(database, { dialect, from, to, charge, hasReturns, ...window });
  const ids = page.payments.map(({ id }) => id);
  const refunds = Map.groupBy(
    await refundsOfAll({ sql: database.query.bind(database) }, ids),
    ({ paymentId }) => paymentId,
  );
  const pix = page.payments.map((payment) => {
    const { chave: key } = payment.details as CobDetails;
    return presentPix({ payment, txid: payment.reference, key, refunds: refunds.get(payment.id) ?? [] });
  });
  return { parametros: presentPage(parsed.data, page.total), pix };
}

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

/** A received Pix (schema `Pix`). The payer is shown as Efí does; the standard has no member for it. */
export function presentPix({ payment, txid, key, refunds }: PixFacts): object {
  return {
    endToEndId: payment.e2eId,
    txid,
    chave: key,
    valor: amountText(payment.amount),
    horario: payment.paidAt.toISOString(),
    gnExtras: { pagador: presentPayer(payment.payer) },
    ...(refunds.length > 0 ? { devolucoes: refunds.map(presentRefund) } : {}),
  };
}

function presentPayer({ name: nome, document }: Payer): object {
  const parsed = parseDocument(document);
  return { nome, ...(parsed.ok ? { [parsed.kind]: document } : {}), codigoBanco: payerIspb };
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
