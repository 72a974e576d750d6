import { bacenDialect, type BacenBank } from '#src/bacen/bank.ts';
import type { CobDetails } from '#src/bacen/cob/cob-request.ts';
import { pageQuerySchema, presentPage, windowOf } from '#src/bacen/page-query.ts';
import { presentPix } from '#src/bacen/pix/present-pix.ts';
import { Problem } from '#src/bacen/problem.ts';
import { Charge } from '#src/account/charge.ts';
import { findPayment, listPayments } from '#src/account/find-payment.ts';
import { refundsOf } from '#src/movements/request-refund.ts';

/** `GET /pix/{e2eid}` */
export async function getPix({ database }: BacenBank, e2eId: string): Promise<object> {
  const payment = await findPayment(database, e2eId);
  if (payment?.dialect !== bacenDialect) throw new Problem('PixNaoEncontrado');
  const charge = await database.reader().findOneOrFail(Charge, { id: payment.chargeId });
  const { chave: key } = charge.details as CobDetails;
  const refunds = await refundsOf({ sql: database.query.bind(database) }, payment.id);
  return presentPix({ payment, txid: charge.reference, key, refunds });
}

/** `GET /pix` */
export async function listPix({ database }: BacenBank, query: unknown): Promise<object> {
  const parsed = pageQuerySchema.safeParse(query);
  if (!parsed.success) throw new Problem('PixConsultaInvalida');
  const { inicio: from, fim: to, txid: charge, txIdPresente: hasTxid, devolucaoPresente: hasReturns } = parsed.data;
  // Every payment of the simulator was made on a charge: without a txid there are none.
  if (hasTxid === false) return { parametros: presentPage(parsed.data, 0), pix: [] };
  const window = windowOf(parsed.data);
  const page = await listPayments(database, { dialect: bacenDialect, from, to, charge, hasReturns, ...window });
  const pix = page.payments.map(async (payment) => {
    const { chave: key } = payment.details as CobDetails;
    const refunds = await refundsOf({ sql: database.query.bind(database) }, payment.id);
    return presentPix({ payment, txid: payment.reference, key, refunds });
  });
  return { parametros: presentPage(parsed.data, page.total), pix: await Promise.all(pix) };
}
