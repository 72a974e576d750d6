import type { recordProviderBalances as contract } from '@gateway/contracts/ledger';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { Database } from '@gateway/persistence';

const replaceSql = `
  with told as (
    select * from json_to_recordset($1::json) as told (provider text, currency text, difference bigint,
      "differsSince" bigint, "comparedAt" bigint, problem text)
  ), gone as (
    delete from provider_balance where (provider, currency) not in (select provider, currency from told)
  )
  insert into provider_balance (provider, currency, difference, differs_since, compared_at, problem)
  select provider, currency, difference, to_timestamp("differsSince"), to_timestamp("comparedAt"), problem from told
  on conflict (provider, currency) do update set difference = excluded.difference,
    differs_since = excluded.differs_since, compared_at = excluded.compared_at, problem = excluded.problem`;

/** Stores how the providers' balances compare with the ledger, for the next reconciliations. */
export async function recordProviderBalances(
  database: Database,
  { balances }: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  await database.query(replaceSql, [JSON.stringify(balances)]);
  return {};
}
