import type { getProviderAccounts as contract } from '@gateway/contracts/ledger';
import type { ReplyOf } from '@gateway/contracts/messages';
import type { Database } from '@gateway/persistence';

/** Negative means money we hold there. Only live providers hold any: test mode never touches one. */
const accountsSql = `
  select substr(account, length('provider:') + 1) as provider, currency, -sum(amount)::bigint as booked
  from system_balance where environment = 'live' and account like 'provider:%'
  group by account, currency order by account, currency`;

/** What is booked at each live provider, over all shards. */
export async function readProviderAccounts(database: Database): Promise<ReplyOf<typeof contract>> {
  return { accounts: await database.query<ReplyOf<typeof contract>['accounts'][number]>(accountsSql, []) };
}
