import type { Snapshot } from '#src/chain/walk-chain.ts';
import { Findings } from '#src/reconciliation/ledger-sums.ts';

/**
 * What the ledger remembers of each record, recomputed from results and entries alone and beside what is stored. Done in
 * PostgreSQL, which has disk for it: there are as many records as there are deposits and payouts.
 */
const differingSql = `
  with applied as (
    select r.sequence, r.amounts, q.* from result r
    cross join lateral json_to_record(r.request) as q (kind text, "accountId" text, currency text, "depositId" text,
      "payoutId" text, "refundId" text, "disputeId" text, amount bigint, fee bigint, "releaseAt" bigint)
    where r.environment = $1 and r.outcome = 'applied'
  ), moved as (
    select ref_id as id, sum(amount) filter (where type <> 'PAYOUT_RETURN') as own,
      -sum(amount) filter (where type = 'MED_BLOCK') as taken
    from entry where environment = $1 and ref_type in ('payout', 'refund', 'dispute') group by ref_id
  ), last_payout as (
    select distinct on ("payoutId") "payoutId" as id, kind, amount, fee from applied
    where kind in ('debit-payout', 'settle-payout', 'reverse-payout', 'redebit-payout') order by "payoutId", sequence desc
  ), payout as (
    select p.id, d.amount, coalesce(r.returned, 0) as used, 0::bigint as held,
      case p.kind when 'debit-payout' then 'debited' when 'reverse-payout' then 'reversed' else 'settled' end as state,
      case p.kind when 'reverse-payout' then 0 else d.amount + d.fee + coalesce(m.own, 0) end as shortfall
    from last_payout p
    join (select distinct on ("payoutId") "payoutId" as id, amount, fee from applied where kind = 'debit-payout'
      order by "payoutId", sequence desc) d using (id)
    left join (select "payoutId" as id, sum(amount) as returned from applied where kind = 'return-payout' group by 1) r
      using (id)
    left join moved m using (id)
  ), refund as (
    select distinct on (a."refundId") a."refundId" as id, a.amount, 0::bigint as used, 0::bigint as held,
      case a.kind when 'refund-deposit' then 'reserved' when 'reverse-refund' then 'reversed'
        when 'redebit-refund' then 'redebited' when 'hold-receipt' then 'held' else 'returned' end as state,
      case when a.kind in ('refund-deposit', 'redebit-refund') then a.amount + coalesce(m.own, 0) else 0 end as shortfall,
      a."depositId" as deposit_id
    from applied a left join moved m on m.id = a."refundId"
    where a.kind in ('refund-deposit', 'reverse-refund', 'redebit-refund', 'hold-receipt', 'return-receipt')
    order by a."refundId", a.sequence desc
  ), dispute_step as (
    select "disputeId" as id, max("depositId") as deposit_id,
      max((amounts->>'blocked')::bigint + (amounts->>'shortfall')::bigint) filter (where kind = 'block-dispute') as due,
      max(amount) filter (where kind = 'block-dispute') as claimed,
      bool_or(kind = 'return-dispute') as lost, max(amount) filter (where kind = 'return-dispute') as lost_amount,
      bool_or(kind in ('release-dispute', 'overturn-dispute')) as won, bool_or(kind = 'lapse-dispute') as lapsed
    from applied where kind in ('block-dispute', 'release-dispute', 'return-dispute', 'overturn-dispute', 'lapse-dispute')
    group by 1
  ), dispute as (
    select s.id, s.deposit_id, w.amount,
      case when s.won then 'won' when s.lost then 'lost' else 'open' end as state,
      case when s.lost and not s.won then m.net else 0 end as used,
      case when s.lost or s.won then 0 else m.net end as held,
      case when s.won or s.lapsed then 0 else w.amount - m.net end as shortfall
    from dispute_step s
    left join lateral (select coalesce(-own, 0) as net from moved where moved.id = s.id) found on true
    cross join lateral (select coalesce(found.net, 0) as net) m
    left join reference kept on kept.environment = $1 and kept.id = s.id
    -- Results of older versions do not tell what was due: then what is stored is held to its bound alone.
    cross join lateral (select coalesce(s.due, least(kept.amount, s.claimed)) as due) before
    cross join lateral (select least(before.due, coalesce(s.lost_amount, before.due)) as amount) w
  ), deposit as (
    select c."depositId" as id, c.amount, coalesce(given.back, 0) as used,
      case when c."releaseAt" is null then 0 else c.amount - c.fee end - coalesce(freed.amount, 0) as held,
      null::text as state, 0::bigint as shortfall
    from applied c
    left join (select "depositId" as id, sum(amount) as amount from applied where kind = 'release-pending' group by 1) freed
      on freed.id = c."depositId"
    left join (
      select deposit_id as id, sum(amount) as back from (
        select deposit_id, amount from refund where state in ('reserved', 'redebited')
        union all select deposit_id, amount from dispute where state in ('open', 'lost')
      ) gone group by 1
    ) given on given.id = c."depositId"
    where c.kind = 'credit-deposit'
  ), expected as (
    select id, amount, used, held, shortfall, state from payout
    union all select id, amount, used, held, shortfall, state from refund
    union all select id, amount, used, held, shortfall, state from dispute
    union all select id, amount, used, held, shortfall, state from deposit
  )
  select coalesce(e.id, k.id) as id, k.id is null as "isGone", e.id is null as "isForeign",
    array_remove(array[
      case when k.amount is distinct from e.amount then 'amount ' || k.amount || ', chain ' || e.amount end,
      case when k.used is distinct from e.used then 'used ' || k.used || ', chain ' || e.used end,
      case when k.held is distinct from e.held then 'held ' || k.held || ', chain ' || e.held end,
      case when k.shortfall is distinct from e.shortfall then 'shortfall ' || k.shortfall || ', chain ' || e.shortfall end,
      case when k.state is distinct from e.state then 'state ' || k.state || ', chain ' || e.state end
    ], null) as differences
  from expected e full join (select * from reference where environment = $1) k on k.id = e.id
  where k.id is null or e.id is null or (k.amount, k.used, k.held, k.shortfall) is distinct from
      (e.amount, e.used, e.held, e.shortfall) or k.state is distinct from e.state
  order by 1`;

interface DifferingRow {
  readonly id: string;
  readonly isGone: boolean;
  readonly isForeign: boolean;
  readonly differences: readonly string[];
}

/** What caps refunds, says whether a payout is settled and holds shortfalls is what the decisions made it. */
export async function checkReferences(snapshot: Snapshot, environment: string): Promise<Findings> {
  const findings = new Findings();
  const [counted] = await snapshot.query<{ count: number }>(
    'select count(*) as count from reference where environment = $1',
    [environment],
  );
  findings.examined = counted?.count ?? 0;
  for (const row of await snapshot.query<DifferingRow>(differingSql, [environment])) {
    if (row.isGone) findings.add(`${row.id}: the ledger has decided about it and no longer knows it`);
    else if (row.isForeign) findings.add(`${row.id}: known to the ledger, and nothing was ever decided about it`);
    else findings.add(`${row.id}: ${row.differences.join('; ')}`);
  }
  return findings;
}
