import type { ItemKind, MatchState } from '@gateway/contracts/reconciler';
import { RowArrays, type Tx } from '@gateway/persistence';
import type { Delta } from '#src/matching/deltas.ts';
import { explainExceptions, refreshExceptions } from '#src/matching/exceptions.ts';
import { countExplainedSql } from '#src/matching/explained-hours.ts';
import { explained } from '#src/matching/kinds.ts';
import { isSameMatch, keyArrays, type MatchKey } from '#src/matching/match-key.ts';
import { recordExplained, recordFallenBack } from '#src/matching/observe-matching.ts';

const deltaArrays = new RowArrays<keyof Delta>([
  ['environment', 'text'],
  ['provider', 'text'],
  ['currency', 'text'],
  ['subject', 'text'],
  ['kind', 'text'],
  ['accountId', 'text'],
  ['pItems', 'integer'],
  ['pAmount', 'bigint'],
  ['rItems', 'integer'],
  ['rAmount', 'bigint'],
  ['lItems', 'integer'],
  ['lAmount', 'bigint'],
  ['firstSeenAt', 'timestamptz'],
  ['decidedAt', 'timestamptz'],
  ['deadlineAt', 'timestamptz'],
]);

/**
 * What moved before its statement was compared may be booked so much later without a line. What is booked later still needs
 * one, whenever its record says that it moved.
 */
const creditedLateDays = 8;

/**
 * What the sides of a match come to after a change, and what they came to before, if it was there. Where the statement comes
 * as files, a match can be explained from the moment on at which its file came.
 */
const nextOf = `
  select delta.environment, delta.provider, delta.currency, delta.subject, coalesce(match.kind, delta.kind) as kind,
    coalesce(match.account_id, delta."accountId") as account_id,
    coalesce(match.p_items, 0) + delta."pItems" as p_items, coalesce(match.p_amount, 0) + delta."pAmount" as p_amount,
    coalesce(match.r_items, 0) + delta."rItems" as r_items, coalesce(match.r_amount, 0) + delta."rAmount" as r_amount,
    coalesce(match.l_items, 0) + delta."lItems" as l_items, coalesce(match.l_amount, 0) + delta."lAmount" as l_amount,
    coalesce(match.needs_line, false) or (delta.environment = 'live' and source.compared_from is not null
      and source.compared_from <= greatest(delta."firstSeenAt",
        delta."decidedAt" - interval '${creditedLateDays} days')) as needs_line,
    least(match.first_seen_at, delta."firstSeenAt") as first_seen_at, delta."deadlineAt" as deadline_at,
    case when source.kind = 'file' and delta."pItems" > 0 and coalesce(match.p_items, 0) = 0 then delta."firstSeenAt"
      else least(match.first_seen_at, delta."firstSeenAt") end as explainable_at,
    match.deadline_at as former_deadline, match.state as was, match.matched_at as was_matched_at,
    match.p_items as was_p_items, match.p_amount as was_p_amount, match.r_items as was_r_items,
    match.r_amount as was_r_amount, match.l_items as was_l_items, match.l_amount as was_l_amount
  from ${deltaArrays.from(2, 'delta')}
    left join match on ${isSameMatch('match', 'delta')}
    left join statement_source source on (source.provider, source.currency) = (delta.provider, delta.currency)`;

/** One that was explained gets the time of its kind again; one that was not is as late as before. */
const decided = `
  select next.*, case when ${explained('next')} then 'matched'
      when next.was is null or next.was in ('waiting', 'matched', 'resolved') then 'waiting'
      else 'unexplained' end as state,
    case when next.was in ('waiting', 'unexplained', 'proposed') then next.former_deadline
      else next.deadline_at end as deadline
  from next`;

const statement = `
  with next as materialized (${nextOf}), decided as materialized (${decided}),
  changed as (
    update match set p_items = decided.p_items, p_amount = decided.p_amount, r_items = decided.r_items,
      r_amount = decided.r_amount, l_items = decided.l_items, l_amount = decided.l_amount, state = decided.state,
      account_id = decided.account_id, needs_line = decided.needs_line, first_seen_at = decided.first_seen_at,
      deadline_at = decided.deadline,
      matched_at = case when decided.state = 'matched' then coalesce(match.matched_at, $1::timestamptz) end
    from decided where decided.was is not null and ${isSameMatch('match', 'decided')}
  ), added as (
    insert into match (environment, provider, currency, subject, kind, state, account_id, p_items, p_amount, r_items,
      r_amount, l_items, l_amount, needs_line, first_seen_at, deadline_at, matched_at)
    select environment, provider, currency, subject, kind, state, account_id, p_items, p_amount, r_items, r_amount,
      l_items, l_amount, needs_line, first_seen_at, deadline, case when state = 'matched' then $1::timestamptz end
    from decided where was is null
  ), kept as (
    insert into match_side (environment, provider, currency, subject, side, items, amount, matched_at, fell_back_at)
    select environment, provider, currency, subject, side, items, amount, was_matched_at, $1::timestamptz
    from decided cross join lateral (values ('P', was_p_items, was_p_amount), ('R', was_r_items, was_r_amount),
      ('L', was_l_items, was_l_amount)) as sides (side, items, amount)
    where was = 'matched' and state <> 'matched' and items > 0
  ), counted as (${countExplainedSql})
  select environment, provider, currency, subject, kind, was, state,
    extract(epoch from $1::timestamptz - explainable_at)::double precision as "waitedSec",
    p_items = 0 and r_items = 0 and l_items = 0 as "isEmpty"
  from decided where was is not null or state <> 'waiting'`;

/** A match that changed, as far as more follows from it. */
interface Changed extends MatchKey {
  readonly kind: ItemKind;
  readonly was: MatchState | null;
  readonly state: MatchState;
  readonly waitedSec: number;
  readonly isEmpty: boolean;
}

/** Adds what arrived to the matches, and decides each of them anew. The caller holds the lock of matching. */
export async function changeMatches(tx: Tx, deltas: readonly Delta[], now: Date): Promise<void> {
  if (deltas.length === 0) return;
  const changed = await tx.sql<Changed>(statement, [now, ...deltaArrays.parametersOf(deltas)]);
  const matched = changed.filter(({ was, state }) => state === 'matched' && was !== 'matched');
  const fallen = changed.filter(({ was, state }) => state !== 'matched' && was === 'matched');
  await forgetEmpty(tx, changed);
  const late = changed.filter(({ was }) => was === 'unexplained' || was === 'proposed');
  await explainExceptions(
    tx,
    late.filter(({ state }) => state === 'matched'),
    now,
  );
  await refreshExceptions(
    tx,
    late.filter(({ state }) => state !== 'matched'),
  );
  tx.afterCommit(() => {
    for (const { kind, environment, waitedSec, isEmpty } of matched) {
      if (!isEmpty) recordExplained(environment, kind, waitedSec);
    }
    for (const { kind, environment } of fallen) recordFallenBack(environment, kind);
  });
}

/** A line that has found its record leaves the match behind in which it stood alone. */
async function forgetEmpty(tx: Tx, changed: readonly Changed[]): Promise<void> {
  const empty = changed.filter(({ isEmpty }) => isEmpty);
  if (empty.length === 0) return;
  await tx.sql(
    `delete from match using ${keyArrays.from(1, 'item')} where ${isSameMatch('match', 'item')}`,
    keyArrays.parametersOf(empty),
  );
}
