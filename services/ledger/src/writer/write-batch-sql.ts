import { insertOutboxRows } from '@gateway/persistence';
import { postgresMsSql } from '#src/postgres/postgres-time.ts';

/**
 * One batch, whole or not at all, in one round trip. Every part hangs on fence: with another epoch in the row, the
 * statement of a writer that was replaced writes nothing, and neither does that of one whose clock, or whose decision,
 * is too far from PostgreSQL's; decisions may be dated up to the time that two operators have accepted. Balances are
 * changed by difference, in the database, where the row is as the writer remembers it; the last part fails the statement
 * (rows_missed, out_of_balance) when a row was not, or when the differences of a currency do not add up to zero.
 *
 * Rows are found by `lateral … offset 0`: one index probe per row of the batch, whatever the planner believes about the
 * size of tables that were empty when the plan was made.
 *
 * $1 environment, $2 shard, $3 epoch, $4 decided at (ms), $5 stream sequence, $6 stream time (ms), $7 head sequence,
 * $8 head hash (hex), $9 balance rows to be changed; then the columns of the parts, as arrays; $55 the
 * writer's time on sending, $56 by how much it may differ (ms).
 */
const partsSql = `
  with fence as (
    select environment, shard from shard where environment = $1 and shard = $2 and epoch = $3
      and abs($55::bigint - ${postgresMsSql}) <= $56::bigint and $4::bigint <= greatest(${postgresMsSql}, accepted_time_ms) + $56::bigint
    for update
  ), moment as (
    select fence.*, timestamptz 'epoch' + $4::bigint * interval '1 millisecond' as decided_at from fence
  ), decided as (
    insert into command (environment, id, request_hash, shard, sequence, decided_at)
    select m.environment, v.id, v.request_hash, m.shard, v.sequence, m.decided_at
    from moment m, unnest($10::bigint[], $11::text[], $12::bytea[]) as v(sequence, id, request_hash)
  ), resulted as (
    insert into result (environment, shard, sequence, decided_at, command_id, request, outcome, refusal, balances,
      amounts, postings, hash)
    select m.environment, m.shard, v.sequence, m.decided_at, v.command_id, v.request, v.outcome, v.refusal, v.balances,
      v.amounts, v.postings, v.hash
    from moment m, unnest($10::bigint[], $11::text[], $13::json[], $14::text[], $15::text[], $16::json[], $17::json[],
      $18::json[], $19::bytea[]) as v(sequence, command_id, request, outcome, refusal, balances, amounts, postings, hash)
  ), entered as (
    insert into entry (environment, account_id, currency, id, shard, sequence, number, type, amount, ref_type, ref_id,
      balance_after)
    select m.environment, v.account_id, v.currency, v.id, m.shard, v.sequence, v.number, v.type, v.amount, v.ref_type,
      v.ref_id, v.balance_after
    from moment m, unnest($20::text[], $21::text[], $22::text[], $23::bigint[], $24::bigint[], $25::text[],
      $26::bigint[], $27::text[], $28::text[], $29::bigint[])
      as v(account_id, currency, id, sequence, number, type, amount, ref_type, ref_id, balance_after)
  ), touched as materialized (
    select m.environment, v.*
    from moment m, unnest($30::text[], $31::text[], $32::text[], $33::text[], $34::bigint[], $35::bigint[], $36::text[],
      $37::bigint[], $38::bigint[], $39::bigint[], $40::bigint[], $41::text[], $42::text[], $54::bigint[])
      as v(id, kind, account_id, currency, amount, fee, state, held, used, shortfall, due_at, deposit_id, provider, known)
  ), referred as (
    insert into reference (environment, id, kind, account_id, currency, amount, fee, state, held, used, shortfall,
      due_at, deposit_id, provider)
    select environment, id, kind, account_id, currency, amount, fee, state, held, used, shortfall, due_at, deposit_id,
      provider
    from touched where known = 0
  ), changed as (
    insert into reference (environment, id, kind, account_id, currency, amount, fee, state, held, used, shortfall,
      due_at, deposit_id, provider)
    select environment, id, kind, account_id, currency, amount, fee, state, held, used, shortfall, due_at, deposit_id,
      provider
    from touched where known = 1
    on conflict (environment, id) do update set amount = excluded.amount, fee = excluded.fee, state = excluded.state,
      held = excluded.held, used = excluded.used, shortfall = excluded.shortfall, provider = excluded.provider
  ), moved as (
    update balance b set available = b.available + v.available, pending = b.pending + v.pending,
      blocked = b.blocked + v.blocked, entries = b.entries + v.entries, version = b.version + 1
    from (
      select v.*, place.ctid
      from moment m, unnest($43::text[], $44::text[], $45::bigint[], $46::bigint[], $47::bigint[], $48::bigint[],
        $49::bigint[]) as v(account_id, currency, available, pending, blocked, entries, version)
      cross join lateral (
        select ctid from balance
        where environment = m.environment and account_id = v.account_id and currency = v.currency offset 0
      ) place
    ) v
    where b.ctid = v.ctid and b.version = v.version
    returning b.currency, v.available + v.pending + v.blocked as difference
  ), moved_system as (
    update system_balance s set amount = s.amount + v.amount, version = s.version + 1
    from (
      select v.*, place.ctid
      from moment m, unnest($50::text[], $51::text[], $52::bigint[], $53::bigint[])
        as v(account, currency, amount, version)
      cross join lateral (
        select ctid from system_balance
        where environment = m.environment and shard = m.shard and account = v.account and currency = v.currency offset 0
      ) place
    ) v
    where s.ctid = v.ctid and s.version = v.version
    returning s.currency, v.amount as difference
  ), difference as (
    select currency, sum(difference)::bigint as amount, count(*) as moved
    from (select * from moved union all select * from moved_system) as each group by currency
  )`;

const eventsSql = `, published as (
    ${insertOutboxRows(57, 'cross join moment')}
  )`;

const cursorSql = `
  update shard s set stream_sequence = $5, stream_time_ms = $6, head_sequence = $7, head_hash = decode($8, 'hex'),
    decided_at_ms = greatest(s.decided_at_ms, $4),
    rows_missed = $9 - (select coalesce(sum(moved), 0) from difference),
    out_of_balance = (select coalesce(max(abs(amount)), 0) from difference)
  from fence
  where s.environment = fence.environment and s.shard = fence.shard
  returning ${postgresMsSql} as postgres_ms`;

export const writeBatchSql = `${partsSql}${cursorSql}`;

/** With events, which few batches have: $57 … $61. */
export const writeBatchWithEventsSql = `${partsSql}${eventsSql}${cursorSql}`;

/** Rows for balances seen for the first time, empty, so that the batch finds a row to change. */
export const openBalancesSql = `
  with opened as (
    insert into balance (environment, account_id, currency)
    select $1, v.account_id, v.currency from unnest($3::text[], $4::text[]) as v(account_id, currency)
    on conflict do nothing
  )
  insert into system_balance (environment, shard, account, currency)
  select $1, $2, v.account, v.currency from unnest($5::text[], $6::text[]) as v(account, currency)
  on conflict do nothing`;

/** Reads why nothing was written: another epoch, or the time. */
export const missSql = `
  select epoch, ${postgresMsSql} as postgres_ms, accepted_time_ms as accepted_ms from shard where environment = $1 and shard = $2`;
