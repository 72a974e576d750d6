import type { Snapshot } from '#src/chain/walk-chain.ts';
import { Findings } from '#src/reconciliation/ledger-sums.ts';

/** Providers nobody compares, each with the reason: their interface tells no balance, or they were given up. */
export type NotCompared = Readonly<Record<string, string>>;

/**
 * Providers are compared every minute; one that has been silent for this long proves nothing any more. What is booked at
 * one that was never compared is left alone for as long after the ledger was told of it.
 */
const balancesSql = `
  select provider, currency, b.difference, b.problem, to_char(b.differs_since at time zone 'UTC', $1) as "differsSince",
    to_char(b.compared_at at time zone 'UTC', $1) as "comparedAt", b.compared_at < now() - interval '1 hour' as "isStale",
    coalesce(p.told_at < now() - interval '1 hour', true) as "isDue", coalesce(s.booked, 0) as booked
  from (select provider, currency, difference, differs_since, compared_at, problem from provider_balance) b
  full join (
    select substr(account, length('provider:') + 1) as provider, currency, -sum(amount)::bigint as booked
    from system_balance where environment = 'live' and account like 'provider:%' group by 1, 2
  ) s using (provider, currency)
  left join provider p on p.environment = 'live' and p.id = provider
  order by provider, currency`;
const timeFormat = 'YYYY-MM-DD"T"HH24:MI:SS"Z"';

interface BalanceRow {
  readonly provider: string;
  readonly currency: string;
  readonly difference: number | null;
  readonly problem: string | null;
  readonly differsSince: string | null;
  /** Null when it was never compared. */
  readonly comparedAt: string | null;
  readonly isStale: boolean | null;
  readonly isDue: boolean;
  readonly booked: number;
}

/**
 * What the providers say they hold for us is what is booked there, as far as it was found when they were last asked; and
 * every provider something is booked at was asked. More here never makes up for less there.
 */
export async function checkProviderBalances(snapshot: Snapshot, notCompared: NotCompared): Promise<Findings> {
  const findings = new Findings();
  const unexplained = new Map<string, number>();
  for (const row of await snapshot.query<BalanceRow>(balancesSql, [timeFormat])) {
    findings.examined++;
    const name = `${row.provider} ${row.currency}`;
    if (row.difference) {
      const [amount, moreOrLess] = [Math.abs(row.difference), row.difference > 0 ? 'more' : 'less'];
      const key = `${row.currency} ${moreOrLess}`;
      unexplained.set(key, (unexplained.get(key) ?? 0) + amount);
      findings.add(
        `${name}: the provider holds ${amount} ${moreOrLess} than the books explain, since ${row.differsSince}`,
      );
    }
    const silence = silenceOf(row);
    if (silence === null) continue;
    const reason = notCompared[row.provider];
    if (reason === undefined) findings.add(`${name}: ${silence}`);
    else if (row.booked !== 0) findings.note(`${name}: ${row.booked} booked, not compared: ${reason}`);
  }
  for (const [key, amount] of unexplained) findings.note(`unexplained in ${key}: ${amount}`);
  return findings;
}

function silenceOf({ comparedAt, isStale, isDue, booked, problem }: BalanceRow): string | null {
  if (comparedAt === null) {
    return booked !== 0 && isDue ? `${booked} booked there, and nobody compares it with what the provider holds` : null;
  }
  return isStale ? `could not be compared since ${comparedAt}: ${problem ?? 'nobody has tried'}` : null;
}
