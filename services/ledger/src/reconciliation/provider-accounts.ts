import type { getProviderAccounts, recordProviderBalances } from '@gateway/contracts/ledger';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { RowArrays, type Database } from '@gateway/persistence';

/** Negative means money we hold there. Only live providers hold any: test mode never touches one. */
const accountsSql = `
  select substr(account, length('provider:') + 1) as provider, currency, -sum(amount)::bigint as booked
  from system_balance where environment = 'live' and account like 'provider:%'
  group by account, currency order by account, currency`;

/** What is booked at each live provider, over all shards. */
export async function readProviderAccounts(database: Database): Promise<ReplyOf<typeof getProviderAccounts>> {
  return { accounts: await database.query<ReplyOf<typeof getProviderAccounts>['accounts'][number]>(accountsSql, []) };
}

const balanceArrays = new RowArrays([
  ['provider', 'text'],
  ['currency', 'text'],
  ['difference', 'bigint'],
  ['differsSince', 'bigint'],
  ['comparedAt', 'bigint'],
  ['problem', 'text'],
]);

const replaceSql = `
  with reported as (
    select * from ${balanceArrays.from(1, 'reported')}
  ), gone as (
    delete from provider_balance where (provider, currency) not in (select provider, currency from reported)
  )
  insert into provider_balance (provider, currency, difference, differs_since, compared_at, problem)
  select provider, currency, difference, to_timestamp("differsSince"), to_timestamp("comparedAt"), problem from reported
  on conflict (provider, currency) do update set difference = excluded.difference,
    differs_since = excluded.differs_since, compared_at = excluded.compared_at, problem = excluded.problem`;

/** Stores how the providers' balances compare with the ledger, for the next reconciliations. */
export async function storeProviderBalances(
  database: Database,
  { balances }: RequestOf<typeof recordProviderBalances>,
): Promise<ReplyOf<typeof recordProviderBalances>> {
  await database.query(replaceSql, balanceArrays.parametersOf(balances));
  return {};
}

/** A live provider as the configuration has it. */
export interface RegisteredProvider {
  readonly id: string;
  /** False for one whose balance cannot be read, so that it is not compared with the ledger. */
  readonly isCompared: boolean;
}

/**
 * Registers the live providers at which money may be booked. A provider that is taken out of the configuration stays
 * registered, since money may still come back through it.
 */
export async function registerProviders(
  database: Database,
  liveProviders: readonly RegisteredProvider[],
): Promise<void> {
  await database.query(
    `insert into provider (environment, id, compared)
     select 'live', id, compared from unnest($1::text[], $2::boolean[]) as given(id, compared)
     on conflict (environment, id) do update set compared = excluded.compared
     where provider.compared <> excluded.compared`,
    [liveProviders.map(({ id }) => id), liveProviders.map(({ isCompared }) => isCompared)],
  );
}
