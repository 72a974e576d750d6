import { createHash } from 'node:crypto';
import { z } from 'zod';
import { balanceBefore, statementOf, type Entry, type StatementEntry } from '#src/account/entry.ts';
import { windowSchema, wooviDialect, WooviError, type WooviBank } from '#src/woovi/bank.ts';

const querySchema = windowSchema.extend({
  skip: z.coerce.number().int().nonnegative().default(0),
  limit: z.coerce.number().int().min(1).max(100).default(100),
});

/** `GET /api/v1/statement`: the entries of the account with the balance behind each, oldest first. */
export async function listStatement({ database, now }: WooviBank, query: unknown): Promise<object[]> {
  const parsed = querySchema.safeParse(query);
  if (!parsed.success) throw new WooviError(`invalid field: ${parsed.error.issues[0]?.path.join('.') ?? 'query'}`);
  const { start: from, end: to, skip, limit } = parsed.data;
  const before = await balanceBefore(database, wooviDialect, from);
  const entries = await statementOf(database, { dialect: wooviDialect, from, to, now: now(), skip, limit });
  return entries.map((entry) => presentEntry(entry, before + entry.moved));
}

function presentEntry(entry: StatementEntry, balance: number): object {
  return {
    id: createHash('sha256').update(`${entry.id} ${entry.copy}`).digest('hex').slice(0, 24),
    time: entry.bookedAt.toISOString(),
    description: descriptions[entry.kind],
    balance,
    value: Math.abs(entry.amount),
    type: entry.amount > 0 ? 'CREDIT' : 'DEBIT',
    transactionId: transactionIdOf(entry),
  };
}

const descriptions: Readonly<Record<Entry['kind'], string>> = {
  payment: 'Pix recebido',
  refund: 'Estorno de Pix',
  payout: 'Pix enviado',
  return: 'Devolução de Pix enviado',
  med_return: 'Devolução por infração',
  overturn: 'Devolução por infração cancelada',
  fee: 'Tarifa',
  own_transfer: 'Transferência entre contas',
};

function transactionIdOf({ id, kind, e2eId, returnId }: Entry): string {
  if (kind === 'fee' || kind === 'own_transfer') return `entry${id}`;
  return returnId ?? e2eId ?? `entry${id}`;
}

/** What the list of transactions has of them besides payments received. */
export async function listOtherTransactions(
  { database, now }: WooviBank,
  { start: from, end: to }: { readonly start: Date; readonly end: Date },
): Promise<object[]> {
  const period = { dialect: wooviDialect, from, to, now: now(), isWithoutPayments: true };
  const others = (await statementOf(database, period)).filter(({ copy }) => copy === 0);
  const charges = await database.query<{ e2eId: string; reference: string }>(
    `select payment.e2e_id as "e2eId", charge.reference from received_payment payment
     join charge on charge.id = payment.charge_id where payment.dialect = $1 and payment.e2e_id = any($2)`,
    [wooviDialect, others.flatMap(({ e2eId }) => e2eId ?? [])],
  );
  const chargeOf = new Map(charges.map(({ e2eId, reference }) => [e2eId, reference]));
  return others.map((entry) => presentTransaction(entry, chargeOf.get(entry.e2eId ?? '')));
}

const types: Readonly<Record<Exclude<Entry['kind'], 'payment'>, string>> = {
  refund: 'REFUND',
  payout: 'WITHDRAW',
  return: 'REVERSAL',
  med_return: 'REFUND',
  overturn: 'REFUND',
  fee: 'FEE',
  own_transfer: 'INTERNAL_TRANSFER',
};

/** The payment that was sent, or the charge that was paid, is what a transaction belongs to, where it belongs to one. */
function presentTransaction(entry: Entry, charge: string | undefined): object {
  const { kind, amount, bookedAt, e2eId, reference } = entry;
  const isOfPayout = kind === 'payout' || kind === 'return';
  return {
    type: types[kind as keyof typeof types],
    status: 'CONFIRMED',
    value: Math.abs(amount),
    time: bookedAt.toISOString(),
    endToEndId: transactionIdOf(entry),
    ...(isOfPayout ? { payment: { correlationID: reference } } : {}),
    ...(charge !== undefined && kind !== 'fee' ? { charge: { correlationID: charge } } : {}),
    ...(kind === 'return' ? { withdraw: { value: Math.abs(amount), endToEndId: e2eId, infoPagador: '' } } : {}),
  };
}
