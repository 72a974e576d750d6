import { isDeepStrictEqual } from 'node:util';
import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { amountSchema } from '@gateway/money';
import { Charge, findCharge } from '#src/account/charge.ts';
import { fintocAccount, FintocError, newChargeClabe, notFound, type FintocBank } from '#src/fintoc/bank.ts';
import { presentAccountNumber } from '#src/fintoc/present.ts';
import { schedulePayments } from '#src/movements/pay-charge.ts';
import { putCharge } from '#src/movements/put-charge.ts';

const descriptionMaxCharacters = 40;
/** What is expected on an account number whose maker does not say it. */
const usualAmount = 100_000;
/** An account number has no end of its own. */
const usualLifeSec = 365 * 86_400;

const accountNumberRequestSchema = z.object({
  account_id: z.string(),
  description: z.string().max(descriptionMaxCharacters).optional(),
  metadata: z.record(z.string(), z.string()).default({}),
});

/**
 * `metadata` is the customer's. The simulated payer reads two members of it, where they are there: how much to pay
 * (`amount`, centavos) and when a payment is late (`expires_at`).
 */
export const expectedPaymentSchema = z.object({
  metadata: z
    .object({
      amount: z
        .string()
        .regex(/^\d{1,14}$/)
        .transform(Number)
        .pipe(amountSchema)
        .default(usualAmount),
      expires_at: z.iso
        .datetime({ offset: true })
        .transform((text) => new Date(text))
        .optional(),
    })
    .prefault({}),
});

/** `POST /v2/account_numbers`: a new CLABE; the same again for the same key of idempotency. */
export async function postAccountNumber(bank: FintocBank, key: string, body: unknown): Promise<object> {
  const request = accountNumberRequestSchema.safeParse(body);
  if (!request.success) throw invalid(request.error);
  const expected = expectedPaymentSchema.safeParse(body);
  if (!expected.success) throw invalid(expected.error);
  const { amount, expires_at: expiresAt } = expected.data.metadata;
  const { account_id: accountId } = request.data;
  if (accountId !== bank.accountId) throw notFound;
  const details = { ...request.data };
  const existing = await findCharge(bank.database, fintocAccount, key);
  if (existing && !isDeepStrictEqual(existing.details, details)) throw keyReused();
  if (existing) return presentAccountNumber(existing);
  const now = bank.now();
  const order = {
    dialect: fintocAccount,
    reference: key,
    amount,
    expiresInSec: lifeSecOf(expiresAt, now),
    details,
    currency: 'MXN',
    location: newChargeClabe(),
  } as const;
  const outcome = await putCharge(bank.database, order, now);
  if (outcome.kind === 'stored' && outcome.created) await schedulePayments(bank.database, outcome.charge);
  return presentAccountNumber(outcome.charge);
}

function lifeSecOf(expiresAt: Date | undefined, now: Date): number {
  if (expiresAt === undefined) return usualLifeSec;
  return Math.max(1, Math.round((expiresAt.getTime() - now.getTime()) / 1_000));
}

/** `GET /v2/account_numbers/{id}` */
export async function getAccountNumber(bank: FintocBank, id: string): Promise<object> {
  const charge = await bank.database.reader().findOne(Charge, { dialect: fintocAccount, id: chargeIdOf(id) });
  if (!charge) throw notFound;
  return presentAccountNumber(charge);
}

const changeSchema = z.object({ status: z.enum(['enabled', 'disabled']) });

/** `PATCH /v2/account_numbers/{id}`: a disabled one takes no transfer, whether it was paid or not. */
export async function patchAccountNumber(bank: FintocBank, id: string, body: unknown): Promise<object> {
  const request = changeSchema.safeParse(body);
  if (!request.success) throw invalid(request.error);
  const { status } = request.data;
  return await bank.database.transaction(async (tx) => {
    const where = { dialect: fintocAccount, id: chargeIdOf(id) };
    const found = await tx.em.findOne(Charge, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!found) throw notFound;
    tx.em.assign(found, { status: status === 'disabled' ? 'REMOVED_BY_RECEIVER' : 'ACTIVE' });
    return presentAccountNumber(found);
  });
}

/** Place and size of a page; the newest first. */
export const pageQuerySchema = z.object({
  starting_after: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(300).default(30),
});

/** `GET /v2/account_numbers` */
export async function listAccountNumbers(bank: FintocBank, query: unknown): Promise<object[]> {
  const page = pageQuerySchema.safeParse(query);
  if (!page.success) throw invalid(page.error);
  const { starting_after: after, limit } = page.data;
  const below = after === undefined ? {} : { id: { $lt: chargeIdOf(after) } };
  const charges = await bank.database
    .reader()
    .find(Charge, { dialect: fintocAccount, ...below }, { orderBy: { id: 'desc' }, limit });
  return charges.map(presentAccountNumber);
}

/** @throws FintocError 404 for what is no id of an account number */
export function chargeIdOf(id: string): number {
  const [, digits] = /^acno_(\d{1,15})$/.exec(id) ?? [];
  if (digits === undefined) throw notFound;
  return Number(digits);
}

export function invalid(error: z.ZodError): FintocError {
  return new FintocError('invalid_parameter', `Invalid parameter: ${error.issues[0]?.path.join('.') ?? 'body'}`);
}

export function keyReused(): FintocError {
  const message = 'The idempotency key was used with other parameters';
  return new FintocError('idempotency_key_reused', message, { type: 'idempotency_error', status: 409 });
}
