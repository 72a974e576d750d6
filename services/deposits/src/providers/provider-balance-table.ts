import type { ProviderBalance } from '@gateway/contracts/providers';
import { RowArrays, type Database } from '@gateway/persistence';
import { level } from '@gateway/runtime';
import type { ProvidersDependencies } from '#src/providers/dependencies.ts';

/** What one comparison found. */
export type Comparison = Omit<ProviderBalance, 'differsSince' | 'comparedAt'>;

const columns = `provider, currency, held, booked, own_funds as "ownFunds", in_flight as "inFlight", difference,
  floor(extract(epoch from differs_since))::bigint as "differsSince",
  floor(extract(epoch from compared_at))::bigint as "comparedAt", problem`;

const comparisonArrays = new RowArrays([
  ['provider', 'text'],
  ['currency', 'text'],
  ['held', 'bigint'],
  ['booked', 'bigint'],
  ['ownFunds', 'bigint'],
  ['inFlight', 'jsonb'],
  ['difference', 'bigint'],
  ['problem', 'text'],
]);

/**
 * $1: the time of the comparisons, which follow. One that came to nothing leaves what was known; operators may have
 * entered in the meantime what is our own, and are right.
 */
const keepSql = `
  with compared as (
    select * from ${comparisonArrays.from(2, 'compared')}
  ), gone as (
    delete from provider_balance where (provider, currency) not in (select provider, currency from compared)
      and own_funds is null
  )
  insert into provider_balance as known
    (provider, currency, held, booked, own_funds, in_flight, difference, differs_since, compared_at, problem)
  select provider, currency, held, booked, "ownFunds", "inFlight", difference,
    case when difference <> 0 then $1::timestamptz end, $1, problem
  from compared
  on conflict (provider, currency) do update set
    held = coalesce(excluded.held, known.held),
    booked = excluded.booked,
    own_funds = coalesce(known.own_funds, excluded.own_funds),
    in_flight = excluded.in_flight,
    difference = coalesce(excluded.difference, known.difference),
    differs_since = case when excluded.difference is null then known.differs_since
      when excluded.difference <> 0 then coalesce(known.differs_since, $1) end,
    compared_at = case when excluded.difference is null then known.compared_at else $1 end,
    problem = excluded.problem
  returning ${columns}`;

/** Keeps what was found, and answers it with since when it is so. */
export async function keepBalances(
  database: Database,
  compared: readonly Comparison[],
  now: Date,
): Promise<ProviderBalance[]> {
  return await database.query<ProviderBalance>(keepSql, [now, ...comparisonArrays.parametersOf(compared)]);
}

export async function readBalances(database: Database): Promise<ProviderBalance[]> {
  return await database.query<ProviderBalance>(
    `select ${columns} from provider_balance order by provider, currency`,
    [],
  );
}

/** What operators know of our own money at a provider; the next comparison goes by it. */
export async function setOwnFunds(
  database: Database,
  { provider, currency, amount, now }: { provider: string; currency: string; amount: number; now: Date },
): Promise<void> {
  await database.query(
    `insert into provider_balance (provider, currency, own_funds, compared_at) values ($1, $2, $3, $4)
     on conflict (provider, currency) do update set own_funds = excluded.own_funds`,
    [provider, currency, amount, now],
  );
}

const labels = ['provider', 'currency'] as const;
const difference = level(
  'gateway_provider_balance_difference_cents',
  'What a provider holds beyond, or short of, what the books explain, in minor units',
  labels,
);
const compared = level(
  'gateway_provider_balance_compared_seconds',
  "When a provider's balance was last compared with the books, in Unix seconds",
  labels,
);

/** Read from the table, so that every process shows the newest comparison; a provider that is gone is not shown. */
export async function observeBalances({ database, chargeRoutes }: ProvidersDependencies): Promise<void> {
  const configured = new Set(chargeRoutes.live.map((route) => route.provider.id));
  const balances = await readBalances(database);
  difference.reset();
  compared.reset();
  for (const { provider, currency, difference: amount, comparedAt } of balances) {
    if (!configured.has(provider)) continue;
    if (amount !== null) difference.set(amount, { provider, currency });
    compared.set(comparedAt, { provider, currency });
  }
}
