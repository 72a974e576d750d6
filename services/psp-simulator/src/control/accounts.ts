import { z } from 'zod';
import { NotFoundError } from '@gateway/contracts/errors';
import { dialectNames, type DialectName } from '#src/account/charge.ts';
import type { Bank } from '#src/bank/bank.ts';

const amountMax = 1_000_000_000_000;

/** Money of the operator's own, into the account or (negative) out of it. */
export const ownTransferRequestSchema = z.strictObject({
  amount_cents: z
    .int()
    .min(-amountMax)
    .max(amountMax)
    .refine((cents) => cents !== 0),
});

/** What the provider takes for each payment that arrives and each one sent; none without it. */
export const feesRequestSchema = z.strictObject({
  received_cents: z.int().nonnegative().max(amountMax).default(0),
  sent_cents: z.int().nonnegative().max(amountMax).default(0),
});

/** What a statement shows wrongly of one movement. Nothing else changes: money and lookups stay as they are. */
export const statementFaultRequestSchema = z.discriminatedUnion('fault', [
  z.strictObject({ fault: z.literal('doubled') }),
  z.strictObject({ fault: z.literal('missing') }),
  z.strictObject({ fault: z.literal('wrong_amount'), amount_cents: z.int().positive().max(amountMax) }),
  /** Not shown before so much later. */
  z.strictObject({ fault: z.literal('late'), after_ms: z.int().positive() }),
  /** Booked the day after. */
  z.strictObject({ fault: z.literal('day_late') }),
  z.strictObject({ fault: z.literal('none') }),
]);
export type StatementFaultRequest = z.infer<typeof statementFaultRequestSchema>;

/** @throws NotFoundError for an account that the bank does not keep */
function accountOf(name: string): DialectName {
  const account = dialectNames.find((known) => known === name);
  if (!account) throw new NotFoundError('account');
  return account;
}

export async function moveOwnFunds(
  { database, now }: Bank,
  account: string,
  { amount_cents: amount }: z.infer<typeof ownTransferRequestSchema>,
): Promise<{ entry: number }> {
  const [row] = await database.query<{ id: number }>(
    `insert into account_entry (dialect, kind, amount, booked_at) values ($1, 'own_transfer', $2, $3) returning id`,
    [accountOf(account), amount, now()],
  );
  return { entry: row?.id ?? 0 };
}

export async function setFees(
  { database }: Bank,
  account: string,
  fees: z.infer<typeof feesRequestSchema>,
): Promise<z.infer<typeof feesRequestSchema>> {
  await database.query(
    `insert into account_fee (dialect, received, sent) values ($1, $2, $3)
     on conflict (dialect) do update set received = excluded.received, sent = excluded.sent`,
    [accountOf(account), fees.received_cents, fees.sent_cents],
  );
  return fees;
}

export async function entriesOf({ database }: Bank, account: string): Promise<object[]> {
  return await database.query('select * from account_entry where dialect = $1 order by id', [accountOf(account)]);
}

/** The last movement of that payment, return, reference or entry, without its fee. */
export async function misstate(
  { database, now }: Bank,
  reference: string,
  request: StatementFaultRequest,
): Promise<{ entry: number }> {
  const { fault } = request;
  const times = fault === 'doubled' ? 2 : fault === 'missing' ? 0 : 1;
  const amount = fault === 'wrong_amount' ? request.amount_cents : null;
  const hiddenUntil = fault === 'late' ? new Date(now().getTime() + request.after_ms) : null;
  const [row] = await database.query<{ id: number }>(
    `update account_entry set shown_times = $2, shown_amount = sign(amount) * $3::bigint, hidden_until = $4,
       shown_at = case when $5 then booked_at + interval '1 day' end
      where id = (select id from account_entry
        where (kind <> 'fee' and $1 in (e2e_id, return_id, reference)) or id::text = $1 order by id desc limit 1)
      returning id`,
    [reference, times, amount, hiddenUntil, fault === 'day_late'],
  );
  if (!row) throw new NotFoundError('entry');
  return { entry: row.id };
}
