import { currencies, currencySchema, type Currency } from '@gateway/money';
import type { Queries } from '@gateway/persistence';

/** What can be converted into USDT. */
export const convertible = currencySchema.options.filter((currency) =>
  currencies[currency].convertsTo.includes('USDT'),
);

/** What live conversions from a currency owe in USDT that has not been bought yet; minor units. */
export interface Position {
  readonly currency: Currency;
  /** Negative where more was bought than conversions have needed so far. */
  readonly uncovered: number;
  /** The same before what was bought beyond earlier conversions is taken off. */
  readonly owed: number;
  /** What merchants gave for it, in the currency that they converted. */
  readonly given: number;
  /** When the oldest conversion was made that is not covered; null without one. */
  readonly since: Date | null;
}

const text = `
  with owed as (
    select from_currency as currency, sum(to_amount)::bigint as amount, sum(from_amount)::bigint as given,
      min(created_at) as since
    from conversion
    where environment = 'live' and covered_by is null and ($1 or state = 'COMPLETED') group by from_currency
  )
  select currency, coalesce(owed.amount, 0) - coalesce(surplus.amount, 0) as uncovered, coalesce(owed.amount, 0) as owed,
    coalesce(owed.given, 0) as given, owed.since
  from owed full join treasury_surplus as surplus using (currency) order by currency`;

/** Of every currency with conversions that are not covered, or with a surplus. */
export async function readPositions(
  database: Queries,
  { withUndecided = false }: { readonly withUndecided?: boolean } = {},
): Promise<Position[]> {
  return await database.query<Position>(text, [withUndecided]);
}
