import type { Currency } from '@gateway/money';
import { exact, exactMagnitude, exactOfMinorUnits, minorUnitsOf, type ExchangeVenue } from '@gateway/providers/venues';
import type { TreasuryDependencies, TreasuryVenue } from '#src/treasury/dependencies.ts';

const compareEveryMs = 60_000;
/** An order moves what an exchange holds: it is compared anew so long after its end, when the trades show in the balance. */
const compareAfterOrderMs = 5_000;

interface Booked {
  readonly currency: Currency;
  /** Minor units. */
  readonly amount: number;
  /** What was rounded when it was booked: the exchange holds so much more. Decimal text. */
  readonly rounded: string;
  /** As the first comparison found it, or operators have stated it since; null before. */
  readonly ownFunds: number | null;
}

/** By the ledger, and what rounding has left out of it. */
const bookedSql = `
  select currency, (-coalesce(sum(amount), 0))::bigint as amount, (select case currencies.currency
      when 'USDT' then coalesce(sum(bought - fee - booked_bought / 100.0), 0)
      else coalesce(sum(booked_spent / 100.0 - spent) filter (where o.currency = currencies.currency), 0) end
    from treasury_order o where venue = $1)::text as rounded,
    (select own_funds from treasury_balance where venue = $1 and currency = currencies.currency) as "ownFunds"
  from unnest($2::text[]) as currencies(currency) left join (
    select currency, amount from system_balance where environment = 'live' and account = 'treasury:' || $1
  ) as account using (currency) group by currency`;

const cent = exactOfMinorUnits(1);

/** To the nearest cent; less than one is a rounding of the comparison itself. */
function centsOf(unexplained: bigint): number {
  const magnitude = exactMagnitude(unexplained);
  if (magnitude < cent) return 0;
  const cents = minorUnitsOf(magnitude + cent / 2n, 'down');
  return unexplained < 0n ? -cents : cents;
}

/** Compares what an exchange holds with what is booked there; not while an order is open, which moves it. */
export async function compareVenue(
  { database, now, logger }: Pick<TreasuryDependencies, 'database' | 'now' | 'logger'>,
  { venue, currencies }: TreasuryVenue,
): Promise<void> {
  const [due] = await database.query<{ is_due: boolean }>(
    `select not exists (select from treasury_order where venue = $1 and state not in ('DONE'))
       and not exists (
         select from treasury_balance balance where venue = $1 and tried_at > $2 and not exists (
           select from treasury_order where venue = $1 and ended_at > balance.tried_at and ended_at < $3)) as is_due`,
    [venue.id, new Date(now() - compareEveryMs), new Date(now() - compareAfterOrderMs)],
  );
  if (!due?.is_due) return;
  const held = await readHeld(venue);
  const booked = await database.query<Booked>(bookedSql, [venue.id, [...currencies, 'USDT']]);
  for (const { currency, amount, rounded, ownFunds: known } of booked) {
    const total = held.totals.get(currency);
    const expected = exactOfMinorUnits(amount) + exact(rounded);
    // Our own money there: what it held beyond the books at the first comparison, and what operators have stated since.
    const ownFunds = known ?? (total === undefined ? null : minorUnitsOf(total - expected, 'down'));
    const unexplained =
      total === undefined || ownFunds === null ? null : total - expected - exactOfMinorUnits(ownFunds);
    const cents = unexplained === null ? null : centsOf(unexplained);
    await database.query(saveSql, [
      ...[venue.id, currency, total === undefined ? null : minorUnitsOf(total, 'down'), amount, ownFunds],
      ...[cents, new Date(now()), total === undefined ? (held.problem ?? 'the exchange does not name it') : null],
    ]);
    if (cents) logger.error({ venue: venue.id, currency, cents }, 'an exchange does not hold what is booked there');
  }
}

/**
 * A comparison that came to nothing leaves what was known. One that was made with another statement of what is our own than
 * operators have made in the meantime is not kept.
 */
const saveSql = `
  insert into treasury_balance as known
    (venue, currency, held, booked, own_funds, difference, differs_since, compared_at, tried_at, problem)
  values ($1, $2, $3, $4, $5, $6, case when $6::bigint <> 0 then $7::timestamptz end, $7, $7, $8)
  on conflict (venue, currency) do update set
    held = coalesce(excluded.held, known.held),
    booked = excluded.booked,
    own_funds = excluded.own_funds,
    difference = coalesce(excluded.difference, known.difference),
    differs_since = case when excluded.difference is null then known.differs_since
      when excluded.difference <> 0 then coalesce(known.differs_since, excluded.differs_since) end,
    compared_at = case when excluded.difference is null then known.compared_at else excluded.compared_at end,
    tried_at = excluded.tried_at,
    problem = excluded.problem
  where known.own_funds is null or known.own_funds = excluded.own_funds`;

async function readHeld(
  venue: ExchangeVenue,
): Promise<{ readonly totals: ReadonlyMap<Currency, bigint>; readonly problem: string | null }> {
  const result = await venue.balances();
  if (!result.ok) return { totals: new Map(), problem: result.cause };
  return { totals: new Map(result.balances.map(({ currency, total }) => [currency, exact(total)])), problem: null };
}
