import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { isChargeTxid } from '@gateway/pix';
import { Charge, findCharge, type ChargeStatus } from '#src/account/charge.ts';
import { paymentsOf } from '#src/account/received-payment.ts';
import { amountText } from '#src/bacen/amount.ts';
import type { BacenBank } from '#src/bacen/bank.ts';
import { cobRequestSchema, txidSchema, type CobDetails } from '#src/bacen/cob-request.ts';
import { presentPix } from '#src/bacen/pix.ts';
import { Problem, violationsOf, type Violation } from '#src/bacen/problem.ts';
import { schedulePayments } from '#src/movements/pay-charge.ts';
import { putCharge } from '#src/movements/put-charge.ts';
import { refundsOfAll } from '#src/movements/request-refund.ts';

const notRevisable: Violation = {
  razao: 'A cobrança já existe, não está no status ATIVA, e a presente requisição busca alterá-la.',
  propriedade: 'cob.status',
};

/** `PUT /cob/{txid}`: creates the charge, or revises it while it is ATIVA. */
export async function putCob(bank: BacenBank, txid: string, body: unknown): Promise<object> {
  const { database, account, now } = bank;
  const request = cobRequestSchema.safeParse(body);
  const reference = txidSchema.safeParse(txid);
  if (!request.success) throw new Problem('CobOperacaoInvalida', violationsOf(request.error, 'cob'));
  if (!reference.success) throw new Problem('CobOperacaoInvalida', violationsOf(reference.error, 'cob.txid'));
  const { calendario, valor, ...rest } = request.data;
  const outcome = await putCharge(
    database,
    {
      dialect: account.dialect,
      reference: reference.data,
      amount: valor.original,
      expiresInSec: calendario.expiracao,
      details: rest satisfies CobDetails,
    },
    now(),
  );
  if (outcome.kind === 'not_active') throw new Problem('CobOperacaoInvalida', [notRevisable]);
  if (!outcome.created) return await presentCobWithPix(bank, outcome.charge);
  await schedulePayments(database, outcome.charge);
  // No payer has its code yet.
  return presentCob(outcome.charge);
}

/** The one revision the simulator takes: the removal, which the Pix API wants alone. */
const removalSchema = z.strictObject({ status: z.literal('REMOVIDA_PELO_USUARIO_RECEBEDOR') });

const notRemovable: Violation = {
  razao: 'A cobrança não está ATIVA, e a presente requisição busca alterá-la.',
  propriedade: 'cob.status',
};

/** `PATCH /cob/{txid}` */
export async function patchCob(bank: BacenBank, txid: string, body: unknown): Promise<object> {
  if (!removalSchema.safeParse(body).success) {
    throw new Problem('CobOperacaoInvalida', [
      { razao: 'o campo cob.status não respeita o _schema_.', propriedade: 'cob.status' },
    ]);
  }
  const charge = await bank.database.transaction(async (tx) => {
    const where = { dialect: bank.account.dialect, reference: txid };
    const found = await tx.em.findOne(Charge, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!found) throw new Problem('CobNaoEncontrado');
    if (found.status !== 'ACTIVE') throw new Problem('CobOperacaoInvalida', [notRemovable]);
    return tx.em.assign(found, { status: 'REMOVED_BY_RECEIVER', revision: found.revision + 1 });
  });
  return await presentCobWithPix(bank, charge);
}

/** `GET /cob/{txid}` */
export async function getCob(bank: BacenBank, txid: string): Promise<object> {
  const charge = isChargeTxid(txid) ? await findCharge(bank.database, bank.account.dialect, txid) : null;
  if (!charge) throw new Problem('CobNaoEncontrado');
  return await presentCobWithPix(bank, charge);
}

/** A charge with the payments it got and their refunds. */
async function presentCobWithPix({ database }: BacenBank, charge: Charge): Promise<object> {
  const { chave: key } = charge.details as CobDetails;
  const payments = await paymentsOf(database, charge.id);
  const ids = payments.filter(({ hasRefunds }) => hasRefunds).map(({ id }) => id);
  const all = ids.length === 0 ? [] : await refundsOfAll({ sql: database.query.bind(database) }, ids);
  const refunds = Map.groupBy(all, ({ paymentId }) => paymentId);
  const pix = payments.map((payment) =>
    presentPix({ payment, txid: charge.reference, key, refunds: refunds.get(payment.id) ?? [] }),
  );
  return presentCob(charge, pix);
}

const statusNames = {
  ACTIVE: 'ATIVA',
  COMPLETED: 'CONCLUIDA',
  REMOVED_BY_RECEIVER: 'REMOVIDA_PELO_USUARIO_RECEBEDOR',
  REMOVED_BY_PSP: 'REMOVIDA_PELO_PSP',
} as const satisfies Record<ChargeStatus, string>;

/** A charge as the Pix API shows it (schemas `CobGerada`, `CobCompleta`). */
function presentCob(charge: Charge, pix: readonly object[] = []): object {
  const createdAt = charge.createdAt.toISOString();
  const { devedor, chave, solicitacaoPagador, infoAdicionais } = charge.details as CobDetails;
  return {
    calendario: { criacao: createdAt, expiracao: charge.expiresInSec },
    txid: charge.reference,
    revisao: charge.revision,
    loc: {
      id: charge.id,
      location: charge.location,
      tipoCob: 'cob',
      criacao: createdAt,
    },
    location: charge.location,
    status: statusNames[charge.status],
    ...(devedor === undefined ? {} : { devedor }),
    valor: { original: amountText(charge.amount) },
    chave,
    ...(solicitacaoPagador === undefined ? {} : { solicitacaoPagador }),
    ...(infoAdicionais === undefined ? {} : { infoAdicionais }),
    pixCopiaECola: charge.brCode,
    ...(pix.length > 0 ? { pix } : {}),
  };
}
