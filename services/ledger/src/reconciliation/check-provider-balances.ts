import type { Database } from '@gateway/persistence';
import type { Snapshot } from '#src/chain/snapshot.ts';
import { Findings } from '#src/reconciliation/findings.ts';

/** Whether the last comparison proves nothing any more. */
const stale = "compared_at < now() - interval '1 hour'";

/** Providers are compared every minute; a comparison older than this proves nothing any more. */
const balancesSql = `
  select provider, currency, difference, problem, to_char(differs_since at time zone 'UTC', $1) as "differsSince",
    to_char(compared_at at time zone 'UTC', $1) as "comparedAt", ${stale} as "isStale"
  from provider_balance order by provider, currency`;
const timeFormat = 'YYYY-MM-DD"T"HH24:MI:SS"Z"';

interface BalanceRow {
  readonly provider: string;
  readonly currency: string;
  readonly difference: number | null;
  readonly problem: string | null;
  readonly differsSince: string | null;
  readonly comparedAt: string;
  readonly isStale: boolean;
}

/**
 * Comparisons begin when the service that asks providers starts, long before an hour has passed. Where money is booked at a
 * provider that the ledger does not know, none ever will.
 */
const uncomparedSql = `
  select substr(booked.account, length('provider:') + 1) as provider, booked.currency, -sum(booked.amount)::bigint as amount
  from system_balance as booked
  left join provider on provider.environment = booked.environment and booked.account = 'provider:' || provider.id
  where booked.environment = 'live' and booked.account like 'provider:%'
    and (provider.id is null or (provider.compared and provider.told_at < now() - interval '1 hour'))
    and not exists (select from provider_balance
      where 'provider:' || provider = booked.account and currency = booked.currency)
  group by booked.account, booked.currency having sum(booked.amount) <> 0
  order by 1, 2`;

interface UncomparedRow {
  readonly provider: string;
  readonly currency: string;
  readonly amount: number;
}

const notComparedSql = `
  select count(*)::int as count from (
    select provider, currency from provider_balance where ${stale}
    union select provider, currency from (${uncomparedSql}) as uncompared
  ) as accounts`;

/** How many accounts at live providers have money that was not compared within the last hour. */
export async function countNotCompared(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>(notComparedSql, []);
  return row?.count ?? 0;
}

/** What each provider reported to hold for us equals what is booked there, as of the last comparison. */
export async function checkProviderBalances(snapshot: Snapshot): Promise<Findings> {
  const findings = new Findings();
  for (const row of await snapshot.query<BalanceRow>(balancesSql, [timeFormat])) {
    const { provider, currency, difference, differsSince, comparedAt, isStale, problem } = row;
    findings.examined++;
    const name = `${provider} ${currency}`;
    const about = { provider, currency };
    if (difference) {
      const [amount, moreOrLess] = [Math.abs(difference), difference > 0 ? 'more' : 'less'];
      const differs = { ...about, kind: 'provider_balance_differs', expected: 0, found: difference };
      const text = `${name}: the provider holds ${amount} ${moreOrLess} than the books explain, since ${differsSince}`;
      findings.add(text, differs);
    }
    if (isStale) {
      const text = `${name}: could not be compared since ${comparedAt}: ${problem ?? 'nobody has tried'}`;
      findings.add(text, { ...about, kind: 'not_compared' });
    }
  }
  for (const { provider, currency, amount } of await snapshot.query<UncomparedRow>(uncomparedSql, [])) {
    findings.examined++;
    findings.add(
      `${provider} ${currency}: ${amount} is booked there, and nobody compares it with what the provider holds`,
      { kind: 'not_compared', provider, currency, expected: amount },
    );
  }
  return findings;
}
