import type { coverByHand as contract, listUncovered, UncoveredPosition } from '@gateway/contracts/conversions';
import { DomainError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { Currency } from '@gateway/money';
import { queriesIn, type Database, type Queries } from '@gateway/persistence';
import { isCurrentSql } from '#src/treasury/holds.ts';
import { convertible } from '#src/treasury/position.ts';
import { treasuryLock } from '#src/treasury/run-treasury.ts';

const positionsSql = `
  with owing as (
    select from_currency as currency, count(*) as conversions, max(id) as through, sum(to_amount)::bigint as owed,
      sum(from_amount)::bigint as given, floor(extract(epoch from min(created_at)))::bigint as since
    from conversion where environment = 'live' and state = 'COMPLETED' and covered_by is null group by from_currency
  )
  select currency, coalesce(conversions, 0) as conversions, through, coalesce(owed, 0) as owed, coalesce(given, 0) as given,
    coalesce(owed, 0) - coalesce(surplus.amount, 0) as uncovered, since,
    (select id from treasury_order o where o.currency = wanted.currency and state not in ('LATE', 'DONE') limit 1) as "order",
    (select jsonb_build_object('venue', venue, 'reason', reason, 'detail', detail,
        'since', floor(extract(epoch from h.since))::bigint)
      from treasury_hold h where h.currency = wanted.currency and ${isCurrentSql} and owing.conversions > 0 order by h.since limit 1) as held
  from unnest($1::text[]) as wanted(currency) left join owing using (currency)
    left join treasury_surplus as surplus using (currency) order by currency`;

/** For operators: of every currency that can be converted. */
export async function readUncovered(database: Queries): Promise<ReplyOf<typeof listUncovered>> {
  return { positions: await database.query<UncoveredPosition>(positionsSql, [convertible]) };
}

/**
 * What operators have bought themselves. It waits for the round of the exchanges that is under way, so that no order is made
 * for what is being covered.
 *
 * @throws DomainError INVALID_STATE while an order is open, and where the conversions do not owe what was proposed any more, or
 *   an order has left over something else since
 */
export async function coverByHand(
  database: Database,
  { currency, through, owed, surplus, approvalId }: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const label = `by hand (${approvalId})`;
  return await database.transaction(async (tx) => {
    const read = async () => positionOf(currency, await readUncovered(queriesIn(tx)));
    await tx.sql('select pg_advisory_xact_lock($1)', [treasuryLock]);
    const before = await read();
    const done = await tx.sql('select from conversion where covered_by = $1 limit 1', [label]);
    if (done.length > 0) return { before, after: before };
    if (before.order !== null) throw new DomainError('INVALID_STATE', `the order ${before.order} is open`);
    // What an order has bought late is no part of what was bought by hand.
    if (typeof surplus === 'number' && surplus !== before.owed - before.uncovered) {
      throw new DomainError('INVALID_STATE', 'an order has bought some of it since; propose it again');
    }
    const covered = await tx.sql<{ to_amount: number }>(
      `update conversion set covered_by = $1 where environment = 'live' and state = 'COMPLETED' and covered_by is null
         and from_currency = $2 and id <= $3 returning to_amount`,
      [label, currency, through],
    );
    if (covered.reduce((sum, { to_amount: amount }) => sum + amount, 0) !== owed) {
      throw new DomainError('INVALID_STATE', 'the conversions do not owe that any more; propose it again');
    }
    // Only what was missing beyond it had to be bought.
    await tx.sql('update treasury_surplus set amount = greatest(amount - $2, 0) where currency = $1', [currency, owed]);
    return { before, after: await read() };
  });
}

function positionOf(currency: Currency, { positions }: ReplyOf<typeof listUncovered>): UncoveredPosition {
  const found = positions.find((position) => position.currency === currency);
  if (!found) throw new DomainError('CURRENCY_NOT_SUPPORTED', `${currency} is not converted into USDT`);
  return found;
}
