import type { Snapshot } from '#src/chain/snapshot.ts';
import { Findings } from '#src/reconciliation/findings.ts';

/** A conversion that is being carried out is in the books, or not yet. */
const owedSql = `
  select coalesce((select -sum(amount) from system_balance where environment = 'live' and account = 'fx'
      and currency = 'USDT'), 0)::bigint as booked,
    coalesce(sum(to_amount) filter (where state = 'COMPLETED'), 0)::bigint
      - (select coalesce(sum(booked_bought), 0) from treasury_order)::bigint as recorded,
    coalesce(sum(to_amount) filter (where state = 'CONVERTING'), 0)::bigint as undecided
  from conversion where environment = 'live'`;

const heldSql = `
  select venue, currency, booked, recorded from (
    select substr(account, length('treasury:') + 1) as venue, currency, sum(amount)::bigint as booked
    from system_balance where environment = 'live' and account like 'treasury:%' group by 1, 2
  ) as account full join (
    select venue, currency, sum(booked_spent)::bigint as recorded from treasury_order group by 1, 2
    union all select venue, 'USDT', -sum(booked_bought)::bigint from treasury_order group by 1
  ) as orders using (venue, currency)
  where coalesce(booked, 0) <> coalesce(recorded, 0) order by venue, currency`;

const comparedSql = `
  select venue, currency, difference, problem, compared_at < now() - interval '1 hour' as "isStale"
  from treasury_balance order by venue, currency`;

interface Owed {
  readonly booked: number;
  readonly recorded: number;
  readonly undecided: number;
}

interface Held {
  readonly venue: string;
  readonly currency: string;
  readonly booked: number | null;
  readonly recorded: number | null;
}

interface Compared {
  readonly venue: string;
  readonly currency: string;
  readonly difference: number | null;
  readonly problem: string | null;
  readonly isStale: boolean;
}

/** What is owed in USDT follows from conversions and orders, and exchanges hold what is booked there. */
export async function checkTreasury(snapshot: Snapshot): Promise<Findings> {
  const findings = new Findings();
  // An order that is being booked is in the books, or not yet.
  const booking = await snapshot.query(`select 1 from treasury_order where state in ('BOOKING', 'LATE') limit 1`, []);
  const isSettled = booking.length === 0;
  for (const { booked, recorded, undecided } of await snapshot.query<Owed>(owedSql, [])) {
    findings.examined++;
    const agrees = booked >= recorded && booked <= recorded + undecided;
    if (!agrees && isSettled) {
      const about = { kind: 'treasury_differs', currency: 'USDT', expected: recorded, found: booked };
      findings.add(`fx USDT: ${booked} is owed by the books, ${recorded} by conversions and orders`, about);
    }
  }
  for (const { venue, currency, booked, recorded } of await snapshot.query<Held>(heldSql, [])) {
    if (!isSettled) continue;
    const [found, expected] = [booked ?? 0, recorded ?? 0];
    const about = { kind: 'treasury_differs', provider: venue, currency, expected, found };
    findings.add(`treasury:${venue} ${currency}: ${found} is booked, ${expected} follows from orders`, about);
  }
  for (const { venue, currency, difference, problem, isStale } of await snapshot.query<Compared>(comparedSql, [])) {
    findings.examined++;
    const name = `${venue} ${currency}`;
    if (difference) {
      const moreOrLess = difference > 0 ? 'more' : 'less';
      const about = { kind: 'provider_balance_differs', provider: venue, currency, expected: 0, found: difference };
      findings.add(`${name}: the exchange holds ${Math.abs(difference)} ${moreOrLess} than the books explain`, about);
    }
    if (isStale) {
      const text = `${name}: could not be compared for an hour: ${problem ?? 'an order is open'}`;
      findings.add(text, { kind: 'not_compared', provider: venue, currency });
    }
  }
  return findings;
}
