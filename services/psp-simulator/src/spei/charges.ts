import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { Charge, findCharge } from '#src/account/charge.ts';
import { listPayments, paymentsOf } from '#src/account/received-payment.ts';
import { schedulePayments } from '#src/movements/pay-charge.ts';
import { putCharge } from '#src/movements/put-charge.ts';
import { newChargeClabe, speiDialect, SpeiError, type SpeiBank } from '#src/spei/bank.ts';
import { presentCharge, presentPayment } from '#src/spei/present.ts';

export const chargeRequestSchema = z.object({
  amount: z.int().positive(),
  currency: z.literal('MXN'),
  expires_in_sec: z.int().positive(),
  payer_name: z.string().max(200).optional(),
  concept: z.string().max(200).optional(),
});

/** `PUT /charges/{reference}`: an account number of its own, the same again for the same request. */
export async function postCharge(bank: SpeiBank, reference: string, body: unknown): Promise<object> {
  const request = chargeRequestSchema.safeParse(body);
  if (!request.success) throw invalid(request.error);
  const { amount, expires_in_sec: expiresInSec, currency, ...details } = request.data;
  const existing = await findCharge(bank.database, speiDialect, reference);
  if (existing && (existing.amount !== amount || existing.expiresInSec !== expiresInSec)) {
    throw new SpeiError('DUPLICATE_REFERENCE', 'another charge has this reference', 409);
  }
  if (existing) return await shown(bank, existing);
  const order = {
    dialect: speiDialect,
    reference,
    amount,
    expiresInSec,
    details,
    currency,
    location: newChargeClabe(),
  };
  const outcome = await putCharge(bank.database, order, bank.now());
  if (outcome.kind === 'stored' && outcome.created) await schedulePayments(bank.database, outcome.charge);
  return await shown(bank, outcome.charge);
}

/** `GET /charges/{reference}` */
export async function getCharge(bank: SpeiBank, reference: string): Promise<object> {
  return await shown(bank, await chargeOf(bank, reference));
}

/** `DELETE /charges/{reference}`: while it is not paid in full. Repeating it changes nothing. */
export async function deleteCharge(bank: SpeiBank, reference: string): Promise<object> {
  await chargeOf(bank, reference);
  const canceled = await bank.database.transaction(async (tx) => {
    const where = { dialect: speiDialect, reference };
    const found = await tx.em.findOneOrFail(Charge, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (found.status === 'COMPLETED') throw new SpeiError('CHARGE_COMPLETED', 'the charge is paid', 409);
    tx.em.assign(found, { status: 'REMOVED_BY_RECEIVER' });
    return found;
  });
  return await shown(bank, canceled);
}

/** Period and place of every list. */
export const listQuerySchema = z.object({
  from: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
  to: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
  offset: z.coerce.number().int().nonnegative().default(0),
  limit: z.coerce.number().int().min(1).max(100).default(100),
});

/** `GET /payments?from=&to=`: what arrived on charges in a period, oldest first. */
export async function listReceived({ database }: SpeiBank, query: unknown): Promise<object> {
  const parsed = listQuerySchema.safeParse(query);
  if (!parsed.success) throw invalid(parsed.error);
  const { from, to, offset: skip, limit } = parsed.data;
  const page = await listPayments(database, { dialect: speiDialect, from, to, skip, limit });
  return {
    payments: page.payments.map((payment) => presentPayment(payment, payment.reference)),
    has_more: skip + page.payments.length < page.total,
  };
}

/** @throws SpeiError NOT_FOUND */
export async function chargeOf({ database }: SpeiBank, reference: string): Promise<Charge> {
  const charge = await findCharge(database, speiDialect, reference);
  if (!charge) throw new SpeiError('NOT_FOUND', 'no such charge', 404);
  return charge;
}

export function invalid(error: z.ZodError): SpeiError {
  return new SpeiError('INVALID_REQUEST', `invalid field: ${error.issues[0]?.path.join('.') ?? 'body'}`, 400);
}

async function shown({ database, now }: SpeiBank, charge: Charge): Promise<object> {
  return presentCharge(charge, await paymentsOf(database, charge.id), now());
}
