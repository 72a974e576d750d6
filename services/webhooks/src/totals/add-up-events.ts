import type { Database } from '@gateway/persistence';
import { counter } from '@gateway/runtime';
import { preparedTransaction } from '#src/queue/prepared-transaction.ts';
import { readable, secondsOf } from '#src/totals/readable-payload.ts';

/** As long as merchants may ask for them. */
const keptDays = 400;
const removedMax = 10_000;
/** In one transaction: each account that has grown, and so many of its events. */
const accountsMax = 50;
const eventsOfAccountMax = 1_000;
/** Any number: the process that holds the lock adds up, the others wait for their next turn. */
const totalsLock = 7_219_402;

const skipped = counter(
  'gateway_webhook_totals_skipped_total',
  'Events with an amount that are in no total, since their amount, currency or time cannot be read',
);

/**
 * The record of an event that has an amount, by the name of the event, where the log has not noted it (`noted-amount.ts`). Of
 * a return it is the part that came back; a conversion has two amounts, and what an account was paid partially is in the
 * event of the payment.
 */
const recordSql = `case
  when name = 'deposit.partially_paid' then null
  when name like 'deposit.%' then payload -> 'deposit'
  when name = 'payout.returned' then payload -> 'return'
  when name like 'payout.%' then payload -> 'payout'
  when name like 'refund.%' then payload -> 'refund'
  when name like 'med.%' then payload -> 'dispute'
end`;

/**
 * No event can make it fail, since that would end the totals of all accounts: what cannot be read is null.
 *
 * All of it is one statement and so one view of the log: the head of an account in it says that every event up to its
 * number is in it too (`log-events.ts`). Where fewer than asked for are left, the account has come to its head, also past
 * numbers that no event has.
 */
const addUpStatement = `
  with behind as (
    select head.environment, head.account_id, head.seq as head_seq, coalesce(position.seq, 0) as seq
      from event_log_head head left join hour_total_position position using (environment, account_id)
     where head.seq > coalesce(position.seq, 0)
     -- Those that have grown most come first, and those that wait become such.
     order by head.seq - coalesce(position.seq, 0) desc limit ${accountsMax}
  ), taken as (
    select behind.environment, behind.account_id, event.*
      from behind cross join lateral (
        select seq, name, occurred_at, provider, currency, amount,
               case when occurred_at is null then ${readable('payload')} end as payload
          from event_log logged
         where logged.environment = behind.environment and logged.account_id = behind.account_id
           and logged.seq > behind.seq
         order by logged.seq limit ${eventsOfAccountMax}
      ) event
  ), records as materialized ( -- Each member is looked for once: what reads it twice would parse it twice.
    select environment, account_id, name, ${recordSql} as record, payload ->> 'occurredAt' as occurred_at,
           payload ->> 'provider' as provider
      from taken where occurred_at is null
  ), texts as materialized (
    select environment, account_id, name, occurred_at, substring(provider from '^\\w[\\w.-]{0,63}$') as provider,
           record ->> 'amount' as amount, record ->> 'currency' as currency
      from records
  ), amounts as (
    select environment, account_id, name, provider,
           date_trunc('hour', to_timestamp(${secondsOf('occurred_at')}), 'UTC') as hour,
           case when amount ~ '^\\d{1,16}$' then amount::bigint end as amount,
           substring(currency from '^\\w{1,16}$') as currency
      from texts where amount is not null
    union all
    select environment, account_id, name, provider, date_trunc('hour', occurred_at, 'UTC'), amount, currency
      from taken where amount is not null
  ), added as (
    insert into hour_total as known (environment, account_id, hour, event, currency, count, amount)
    select environment, account_id, hour, name, currency, count(*), sum(amount)
      from amounts where (hour, amount, currency) is not null
     group by environment, account_id, hour, name, currency
    on conflict (environment, account_id, hour, event, currency)
      do update set count = known.count + excluded.count, amount = known.amount + excluded.amount
  ), added_of_providers as (
    insert into hour_provider_total as known (environment, provider, hour, event, currency, count, amount)
    select environment, provider, hour, name, currency, count(*), sum(amount)
      from amounts where (hour, amount, currency, provider) is not null
     group by environment, provider, hour, name, currency
    on conflict (environment, hour, provider, event, currency)
      do update set count = known.count + excluded.count, amount = known.amount + excluded.amount
  ), moved as (
    insert into hour_total_position as known (environment, account_id, seq)
    select behind.environment, behind.account_id,
           case when count(taken.seq) < ${eventsOfAccountMax} then behind.head_seq else max(taken.seq) end
      from behind left join taken using (environment, account_id)
     group by behind.environment, behind.account_id, behind.head_seq
    on conflict (environment, account_id) do update set seq = excluded.seq
    returning 1
  )
  select count(*)::int as accounts, coalesce(max(events), 0)::int as events,
         (select count(*) from amounts where not ((hour, amount, currency) is not null))::int as skipped
    from (select count(*) as events from taken group by environment, account_id) counted, (select count(*) from moved) all_moved`;

/** Unlike what is looked up one by one, the heads of all accounts are read and compared with the totals' positions. */
const lockStatement = `
  select pg_try_advisory_xact_lock($1) as held, set_config('enable_hashjoin', 'on', true) as joins`;

/**
 * Adds what the logs of the accounts have grown by to their totals; together with how far it has come, so that each event
 * counts once. Answers true when there may be more.
 */
export async function addUpEvents(database: Database): Promise<boolean> {
  const added = await preparedTransaction(database, { durable: true }, async (tx) => {
    const [lock] = await tx.sql<{ held: boolean }>(lockStatement, [totalsLock], 'webhooks-totals-lock');
    if (!lock?.held) return undefined;
    const [row] = await tx.sqlAndCommit<{ accounts: number; events: number; skipped: number }>(
      addUpStatement,
      [],
      'webhooks-add-up-events',
    );
    return row;
  });
  if (!added) return false;
  skipped.add(added.skipped);
  return added.accounts >= accountsMax || added.events >= eventsOfAccountMax;
}

/** Removes totals that are asked for no more, a batch at a time. Answers true when there are more. */
export async function removeOldTotals(database: Database): Promise<boolean> {
  for (const table of ['hour_total', 'hour_provider_total']) {
    const removed = await database.query(
      `delete from ${table} where ctid in (
         select ctid from ${table} where environment in ('live', 'test') and hour < now() - make_interval(days => $1) limit $2
       ) returning 1`,
      [keptDays, removedMax],
    );
    if (removed.length >= removedMax) return true;
  }
  return false;
}
