import type { HoldReason } from '@gateway/contracts/conversions';
import type { Currency } from '@gateway/money';
import type { Queries } from '@gateway/persistence';
import type { ExchangeVenue } from '@gateway/providers/venues';
import type { TreasuryDependencies } from '#src/treasury/dependencies.ts';
import type { WantedOrder } from '#src/treasury/order-for.ts';

/** A market in which nothing is ordered is read again after this time. */
const heldRetryMs = 15_000;
/** One that was not read for longer had nothing to order in between: what holds it then is a new hold. */
const sameHoldMs = 300_000;

/** An order that waits for the market to change, or for people. */
export interface Hold {
  readonly venue: string;
  readonly currency: Currency;
  readonly reason: HoldReason;
  readonly detail: string;
  /** Unix seconds. */
  readonly since: number;
}

/** Keeps what is outside of the bounds on record, for every process and for operators; logged when it begins. */
export async function holdOrder(
  { database, now, logger }: TreasuryDependencies,
  { id: venue }: ExchangeVenue,
  currency: Currency,
  { reason, detail }: Extract<WantedOrder, { kind: 'held' }>,
): Promise<void> {
  const at = new Date(now());
  const [kept] = await database.query<{ since: Date }>(
    `insert into treasury_hold as known (venue, currency, reason, detail, since, checked_at)
     values ($1, $2, $3, $4, $5, $5)
     on conflict (venue, currency) do update set reason = excluded.reason, detail = excluded.detail,
       checked_at = excluded.checked_at,
       since = case when known.reason = excluded.reason and known.checked_at > $6 then known.since else excluded.since end
     returning since`,
    [venue, currency, reason, detail, at, new Date(now() - sameHoldMs)],
  );
  const isNew = kept?.since.getTime() === at.getTime();
  if (isNew)
    logger.error({ venue, currency, reason, detail }, 'no USDT is ordered: the market is outside of the bounds');
}

/** Whether the market was read a moment ago and nothing could be ordered in it. */
export async function isHeldNow(
  { database, now }: TreasuryDependencies,
  { id: venue }: ExchangeVenue,
  currency: Currency,
): Promise<boolean> {
  const held = await database.query(
    'select from treasury_hold where venue = $1 and currency = $2 and checked_at > $3',
    [venue, currency, new Date(now() - heldRetryMs)],
  );
  return held.length > 0;
}

/** SQL: whether a hold is of now. An exchange that is not configured any more is read no more, and holds nothing. */
export const isCurrentSql = `checked_at > now() - interval '${sameHoldMs} milliseconds'`;

/** Of the markets whose currency owes something that is not covered. */
export async function readHolds(database: Queries): Promise<Hold[]> {
  return await database.query<Hold>(
    `select venue, currency, reason, detail, floor(extract(epoch from since))::bigint as since from treasury_hold as hold
     where ${isCurrentSql} and exists (select from conversion where environment = 'live' and state = 'COMPLETED' and covered_by is null
       and from_currency = hold.currency)
     order by venue, currency`,
  );
}
