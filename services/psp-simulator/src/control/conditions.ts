import { NotFoundError } from '@gateway/contracts/errors';
import type { Bank } from '#src/bank/bank.ts';
import type { FloodRequest } from '#src/control/lie-requests.ts';
import { transferOf } from '#src/control/operations.ts';

/** Moves what the bank knows of a transfer back in time: it was ordered and paid so many days earlier. */
export async function ageTransfer({ database }: Bank, reference: string, days: number): Promise<{ aged: number }> {
  return await database.transaction(async (tx) => {
    const { id } = await transferOf(tx, reference);
    await tx.sql(
      `update transfer set requested_at = requested_at - make_interval(days => $2),
              settled_at = settled_at - make_interval(days => $2) where id = $1`,
      [id, days],
    );
    return { aged: days };
  });
}

/** The same for a received payment and its charge. @throws NotFoundError */
export async function agePayment({ database }: Bank, e2eId: string, days: number): Promise<{ aged: number }> {
  return await database.transaction(async (tx) => {
    const [payment] = await tx.sql<{ charge_id: number }>(
      `update received_payment set paid_at = paid_at - make_interval(days => $2) where e2e_id = $1 returning charge_id`,
      [e2eId, days],
    );
    if (!payment) throw new NotFoundError('payment');
    await tx.sql('update charge set created_at = created_at - make_interval(days => $2) where id = $1', [
      payment.charge_id,
      days,
    ]);
    return { aged: days };
  });
}

/** Payments on a charge of another customer at the same account, and one transfer that takes the money away again. */
export async function flood(
  bank: Bank,
  { dialect, payments, over_sec: overSec, unreadable }: FloodRequest,
): Promise<{ paid: number }> {
  const now = bank.now();
  return await bank.database.transaction(async (tx) => {
    const [charge] = await tx.sql<{ id: number }>(
      `insert into charge (dialect, reference, status, revision, currency, amount, expires_in_sec, location, br_code, details,
                           created_at)
       select dialect, replace(gen_random_uuid()::text, '-', ''), 'COMPLETED', 0, currency, 1, expires_in_sec,
              location || gen_random_uuid(), br_code,
              details || jsonb_build_object('transactionID', replace(gen_random_uuid()::text, '-', '')), $2
         from charge where dialect = $1 order by id limit 1 returning id`,
      [dialect, now],
    );
    if (!charge) throw new NotFoundError('charge');
    await tx.sql(
      `insert into received_payment (dialect, charge_id, e2e_id, amount, payer, paid_at)
       select $1, $2, case when n <= $5 then repeat('X', 290) || right(md5(random()::text || n), 11)
                           else 'E99999011' || to_char($4::timestamptz at time zone 'UTC', 'YYYYMMDDHH24MI')
                                || right(md5(random()::text || n), 11) end,
              1, '{"name":"FULANO DE TAL","document":"12345678909"}',
              $4::timestamptz + make_interval(secs => $6::float8 * n / $3)
         from generate_series(1, $3::integer) as n`,
      [dialect, charge.id, payments, now, unreadable, overSec],
    );
    await tx.sql(
      `insert into transfer (dialect, reference, amount, destination_key, e2e_id, status, plan, details, requested_at, settled_at)
       select dialect, replace(gen_random_uuid()::text, '-', ''), $2, destination_key,
              'E99999010' || to_char($3::timestamptz at time zone 'UTC', 'YYYYMMDDHH24MI') || right(md5(random()::text), 11),
              'PAID', 'paid', details, $3, $3
         from transfer where dialect = $1 order by id limit 1`,
      [dialect, payments, now],
    );
    return { paid: payments };
  });
}
