import { randomBytes } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { Charge, findCharge } from '#src/account/charge.ts';
import { schedulePayments } from '#src/movements/pay-charge.ts';
import { putCharge } from '#src/movements/put-charge.ts';
import { wooviDialect, WooviError, type WooviBank } from '#src/woovi/bank.ts';
import { presentCharge, type WooviChargeDetails } from '#src/woovi/present-charge.ts';

const expirySecDefault = 86_400;
const expirySecMin = 300;

const contact = z.string().min(1).optional();

export const chargeRequestSchema = z.object({
  correlationID: z.string().min(1).max(255),
  value: z.int().positive(),
  comment: z.string().max(140).optional(),
  expiresIn: z.int().min(expirySecMin).default(expirySecDefault),
  customer: z
    .object({ name: z.string().min(1), taxID: contact, email: contact, phone: contact })
    .refine(({ taxID, email, phone }) => taxID ?? email ?? phone)
    .optional(),
  additionalInfo: z.array(z.object({ key: z.string(), value: z.string() })).optional(),
});

/** `POST /api/v1/charge`; with `return_existing` a used correlationID gives its charge, without it an error. */
export async function postCharge(bank: WooviBank, body: unknown, returnExisting: boolean): Promise<object> {
  const request = chargeRequestSchema.safeParse(body);
  if (!request.success) throw new WooviError(`invalid field: ${request.error.issues[0]?.path.join('.') ?? 'body'}`);
  const { correlationID: reference, value: amount, expiresIn: expiresInSec, ...shown } = request.data;
  const existing = await findCharge(bank.database, wooviDialect, reference);
  if (existing && !returnExisting) throw new WooviError('Uma cobrança com esse correlationID já existe');
  const now = bank.now();
  if (existing) return replyOf(existing, now);
  const details: WooviChargeDetails = { transactionID: randomBytes(16).toString('hex'), ...shown };
  const outcome = await putCharge(
    bank.database,
    { dialect: wooviDialect, reference, amount, expiresInSec, details: { ...details } },
    now,
  );
  if (outcome.kind === 'stored' && outcome.created) await schedulePayments(bank.database, outcome.charge);
  return replyOf(outcome.charge, now);
}

/** `GET /api/v1/charge/{id}` */
export async function getCharge(bank: WooviBank, id: string): Promise<object> {
  return { charge: presentCharge(await chargeOf(bank, id), bank.now()) };
}

/** `DELETE /api/v1/charge/{id}` */
export async function deleteCharge(bank: WooviBank, id: string): Promise<object> {
  const { reference } = await chargeOf(bank, id);
  await bank.database.transaction(async (tx) => {
    const where = { dialect: wooviDialect, reference };
    const found = await tx.em.findOneOrFail(Charge, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (found.status !== 'ACTIVE') throw new WooviError('A cobrança não pode ser removida');
    tx.em.assign(found, { status: 'REMOVED_BY_RECEIVER' });
  });
  return { status: 'OK', id };
}

/** By correlationID or by the charge's own id; a removed charge is not found any more. */
export async function chargeOf({ database }: WooviBank, id: string): Promise<Charge> {
  const [row] = await database.query<{ reference: string }>(
    `select reference from charge where dialect = $1 and reference = $2
     union all select reference from charge where dialect = $1 and details ->> 'transactionID' = $2`,
    [wooviDialect, id],
    'named-charge',
  );
  const charge = row ? await findCharge(database, wooviDialect, row.reference) : null;
  if (!charge || charge.status.startsWith('REMOVED')) throw new WooviError('Charge not found');
  return charge;
}

function replyOf(charge: Charge, now: Date): object {
  return { charge: presentCharge(charge, now), correlationID: charge.reference, brCode: charge.brCode };
}
