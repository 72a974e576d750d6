import { z } from 'zod';
import { parseClabe } from '@gateway/pix';
import { transferPlan } from '#src/faults/magic.ts';
import { magicClabes, SpeiError, speiDialect, trackingKey, type SpeiBank } from '#src/spei/bank.ts';
import { invalid, listQuerySchema } from '#src/spei/charges.ts';
import { presentReturn, presentTransfer } from '#src/spei/present.ts';
import { findTransfer, orderTransfer, returnsOf } from '#src/movements/order-transfer.ts';
import type { TransferReturn } from '#src/account/transfer.ts';

const nameMaxCharacters = 39;

export const transferRequestSchema = z.object({
  amount: z.int().positive(),
  currency: z.literal('MXN'),
  clabe: z.string(),
  beneficiary: z.object({
    name: z.string().max(nameMaxCharacters).optional(),
    document: z.string().max(20).optional(),
  }),
  verify_holder: z.boolean().default(false),
  concept: z.string().max(nameMaxCharacters).optional(),
});

/** `PUT /transfers/{reference}`: another order under a used reference is a conflict. */
export async function putTransfer(bank: SpeiBank, reference: string, body: unknown): Promise<object> {
  const request = transferRequestSchema.safeParse(body);
  if (!request.success) throw invalid(request.error);
  const { amount, clabe, beneficiary, verify_holder: verifyHolder } = request.data;
  const existing = await findTransfer(bank.database, speiDialect, reference);
  if (existing) return again(existing, { amount, clabe });
  if (!parseClabe(clabe).ok) throw new SpeiError('ACCOUNT_NOT_FOUND', 'the CLABE is wrong');
  if (verifyHolder && clabe === magicClabes.owner) {
    throw new SpeiError('BENEFICIARY_MISMATCH', 'the account belongs to somebody else');
  }
  const plan = transferPlan(amount, keyOf(clabe));
  if (plan === 'refused') throw new SpeiError('COMPLIANCE_HOLD', 'the transfer was stopped');
  if (plan === 'key_not_found') throw new SpeiError('ACCOUNT_NOT_FOUND', 'no such account');
  if (plan === 'no_balance') throw new SpeiError('INSUFFICIENT_BALANCE', 'the balance does not suffice');
  const order = {
    dialect: speiDialect,
    reference,
    amount,
    destinationKey: clabe,
    plan,
    details: { beneficiary },
  } as const;
  const transfer = await orderTransfer(bank, { ...order, e2eId: trackingKey('SIM') });
  if (transfer) return presentTransfer(transfer);
  const winner = await findTransfer(bank.database, speiDialect, reference);
  if (!winner) throw new Error('a used reference has no transfer');
  return again(winner, { amount, clabe });
}

/** `GET /transfers/{reference}` */
export async function getTransfer({ database }: SpeiBank, reference: string): Promise<object> {
  const transfer = await findTransfer(database, speiDialect, reference);
  if (!transfer) throw new SpeiError('NOT_FOUND', 'no such transfer', 404);
  return presentTransfer(transfer);
}

/** `GET /transfers/{reference}/returns`: all that came back of it, whatever its age. */
export async function getReturns({ database }: SpeiBank, reference: string): Promise<object> {
  const transfer = await findTransfer(database, speiDialect, reference);
  if (!transfer) throw new SpeiError('NOT_FOUND', 'no such transfer', 404);
  const returns = await returnsOf(database, transfer.id);
  return { returns: returns.map((part) => presentReturn(reference, part)) };
}

/** `GET /returns?from=&to=`: what came back in a period, oldest first. */
export async function listReturns({ database }: SpeiBank, query: unknown): Promise<object> {
  const parsed = listQuerySchema.safeParse(query);
  if (!parsed.success) throw invalid(parsed.error);
  const { from, to, offset, limit } = parsed.data;
  const found = await database.query<TransferReturn & { readonly reference: string }>(
    `select t.reference, r.return_id as "returnId", r.amount, r.returned_at as "returnedAt"
     from transfer_return r join transfer t on t.id = r.transfer_id
     where t.dialect = $1 and r.returned_at between $2 and $3 order by r.returned_at, r.id offset $4 limit $5`,
    [speiDialect, from, to, offset, limit + 1],
  );
  const returns = found.slice(0, limit).map(({ reference, ...part }) => presentReturn(reference, part));
  return { returns, has_more: found.length > limit };
}

function again(
  existing: NonNullable<Awaited<ReturnType<typeof findTransfer>>>,
  { amount, clabe }: { readonly amount: number; readonly clabe: string },
): object {
  if (existing.amount === amount && existing.destinationKey === clabe) return presentTransfer(existing);
  throw new SpeiError('DUPLICATE_REFERENCE', 'another transfer has this reference', 409);
}

/** The plans are named by the keys of PIX. */
function keyOf(clabe: string): string {
  const [name] = Object.entries(magicClabes).find(([, value]) => value === clabe) ?? [];
  return name === undefined ? clabe : `${name}@simulator.test`;
}
