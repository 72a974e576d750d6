import { idLowerBound, type Balance, type getBalance, type RequestOf } from '@gateway/contracts';
import type { Database } from '@gateway/service-kit';

type Request = RequestOf<typeof getBalance>;

const nowSql = `
  select currency, available, pending, blocked from balance
  where environment = $1 and account_id = $2 order by currency`;

/** The last entry before the bound tells the balance after it; one index probe per currency. */
const thenSql = `
  select b.currency, coalesce(e.balance_after, 0) as available, 0::bigint as pending, 0::bigint as blocked
  from balance b left join lateral (
    select balance_after from entry
    where environment = b.environment and account_id = b.account_id and currency = b.currency and id < $3
    order by id desc limit 1
  ) e on true
  where b.environment = $1 and b.account_id = $2 order by b.currency`;

/** Balances of every currency the account has operated, now, or `available` as it stood at the end of a second. */
export async function readBalance(database: Database, { environment, accountId, at }: Request): Promise<Balance[]> {
  if (at === undefined) return await database.query<Balance>(nowSql, [environment, accountId], 'balance-now');
  const bound = idLowerBound('ledgerEntry', (at + 1) * 1_000);
  return await database.query<Balance>(thenSql, [environment, accountId, bound], 'balance-then');
}
