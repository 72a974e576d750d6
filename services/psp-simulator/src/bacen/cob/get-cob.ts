import { isChargeTxid } from '@gateway/pix';
import { bacenDialect, type BacenBank } from '#src/bacen/bank.ts';
import type { CobDetails } from '#src/bacen/cob/cob-request.ts';
import { presentCob } from '#src/bacen/cob/present-cob.ts';
import { presentPix } from '#src/bacen/pix/present-pix.ts';
import { Problem } from '#src/bacen/problem.ts';
import type { Charge } from '#src/account/charge.ts';
import { findCharge } from '#src/account/find-charge.ts';
import { paymentsOf } from '#src/account/find-payment.ts';
import { refundsOf } from '#src/movements/request-refund.ts';

/** `GET /cob/{txid}` */
export async function getCob(bank: BacenBank, txid: string): Promise<object> {
  const charge = isChargeTxid(txid) ? await findCharge(bank.database, bacenDialect, txid) : null;
  if (!charge) throw new Problem('CobNaoEncontrado');
  return await presentCobWithPix(bank, charge);
}

/** A charge with the payments it got and their refunds. */
export async function presentCobWithPix({ database }: BacenBank, charge: Charge): Promise<object> {
  const { chave: key } = charge.details as CobDetails;
  const sql = { sql: database.query.bind(database) };
  const pix = (await paymentsOf(database, charge.id)).map(async (payment) =>
    presentPix({ payment, txid: charge.reference, key, refunds: await refundsOf(sql, payment.id) }),
  );
  return presentCob(charge, await Promise.all(pix));
}
