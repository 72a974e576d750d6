import type { getLedgerRecords, getPending } from '@gateway/contracts/ledger';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { isId } from '@gateway/money';
import type { Database } from '@gateway/persistence';

type Reply = ReplyOf<typeof getLedgerRecords>;

/** A credit is found by the id of its command, whose request has the gross amount and the fee. */
const creditsSql = `
  select asked.id as "depositId", (r.request ->> 'amount')::bigint as amount, (r.request ->> 'fee')::bigint as fee
  from unnest($3::text[]) as asked(id)
  cross join lateral (
    select * from command where environment = $1 and id = 'credit-deposit:' || asked.id offset 0
  ) c
  cross join lateral (
    select * from result where environment = $1 and shard = c.shard and sequence = c.sequence
      and decided_at = c.decided_at offset 0
  ) r
  where r.outcome = 'applied' and r.request ->> 'accountId' = $2`;

const conversionsSql = `
  select id, external_id as "externalId", null as "e2eId", null as counterparty from conversion
  where environment = $1 and account_id = $2 and id = any($3::text[])`;

/** What an accounting statement says of conversions, and what was credited of deposits. */
export async function readLedgerRecords(
  database: Database,
  { environment, accountId, ids }: RequestOf<typeof getLedgerRecords>,
): Promise<Reply> {
  const deposits = ids.filter((id) => isId('deposit', id));
  const conversions = ids.filter((id) => isId('conversion', id));
  const [credits, records] = await Promise.all([
    deposits.length === 0
      ? []
      : database.query<Reply['credits'][number]>(creditsSql, [environment, accountId, deposits], 'credits-by-deposit'),
    conversions.length === 0
      ? []
      : database.query<Reply['records'][number]>(conversionsSql, [environment, accountId, conversions]),
  ]);
  return { credits, records };
}

const releaseDaysMax = 400;

const pendingSql = `
  select to_char(to_timestamp(due_at) at time zone $3, 'YYYY-MM-DD') as "releaseOn", currency,
    sum(held)::bigint as amount, count(*)::int as deposits
  from reference
  where environment = $1 and kind = 'deposit' and held > 0 and account_id = $2 and ($4::text is null or currency = $4)
  group by 1, 2 order by 1, 2 limit $5`;

/** What is pending of an account, by the day in the time zone on which it becomes available. */
export async function readPending(
  database: Database,
  { environment, accountId, zone, currency }: RequestOf<typeof getPending>,
): Promise<ReplyOf<typeof getPending>> {
  const values = [environment, accountId, zone, currency ?? null, releaseDaysMax];
  return { releases: await database.query<ReplyOf<typeof getPending>['releases'][number]>(pendingSql, values) };
}
