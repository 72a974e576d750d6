import type { Balance, getBalance, KnownBalance } from '@gateway/contracts/ledger';
import type { RequestOf } from '@gateway/contracts/messages';
import { idLowerBound } from '@gateway/money';
import { ReadQueue, type Database } from '@gateway/persistence';

type Request = RequestOf<typeof getBalance>;
type Owner = Pick<Request, 'environment' | 'accountId'>;

/** One index probe per account; `offset 0` keeps the planner from turning the probes into a scan. */
const nowSql = `
  select k.place::int, b.currency, b.available, b.pending, b.blocked
  from unnest($1::text[], $2::text[]) with ordinality as k (environment, account_id, place)
  cross join lateral (
    select currency, available, pending, blocked from balance
    where environment = k.environment and account_id = k.account_id offset 0
  ) b
  order by k.place, b.currency`;

/** The last entry before the bound has the balance after it; one index probe per currency. */
const thenSql = `
  select b.currency, coalesce(e.balance_after, 0) as available, null as pending, null as blocked
  from balance b left join lateral (
    select balance_after from entry
    where environment = b.environment and account_id = b.account_id and currency = b.currency and id < $3
    order by id desc limit 1
  ) e on true
  where b.environment = $1 and b.account_id = $2 order by b.currency`;

interface PlacedBalance extends Balance {
  /** Counts from 1, in the order the accounts were asked for. */
  readonly place: number;
}

/** Balances of every currency the account has operated, now, or `available` as it stood at the end of a second. */
export class BalanceReader {
  readonly #database: Database;
  readonly #reading = new ReadQueue({
    keyOf: ({ environment, accountId }: Owner) => `${environment} ${accountId}`,
    read: (owners: readonly Owner[]) => this.#readAll(owners),
  });

  constructor(database: Database) {
    this.#database = database;
  }

  /** Pending and blocked have no entries, so their past is not known: null with `at`. */
  async read({ environment, accountId, at }: Request): Promise<KnownBalance[]> {
    if (at === undefined) return await this.readNow({ environment, accountId });
    const bound = idLowerBound('ledgerEntry', (at + 1) * 1_000);
    return await this.#database.query<KnownBalance>(thenSql, [environment, accountId, bound], 'balance-then');
  }

  async readNow(owner: Owner): Promise<Balance[]> {
    return await this.#reading.add(owner);
  }

  async #readAll(owners: readonly Owner[]): Promise<readonly Balance[][]> {
    const rows = await this.#database.query<PlacedBalance>(
      nowSql,
      [owners.map(({ environment }) => environment), owners.map(({ accountId }) => accountId)],
      'balances-now',
    );
    const answers = owners.map((): Balance[] => []);
    for (const { place, ...balance } of rows) answers[place - 1]?.push(balance);
    return answers;
  }
}
