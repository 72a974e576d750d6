import type { Environment } from '@gateway/contracts/values';
import type { Snapshot } from '#src/chain/snapshot.ts';
import type { Findings } from '#src/reconciliation/ledger-sums.ts';

/** What is remembered of a record follows from the command that made it. Disputes shrink and grow: the last check has them. */
const asDecidedSql = `
  with made as (
    select case request ->> 'kind' when 'credit-deposit' then request ->> 'depositId'
        when 'debit-payout' then request ->> 'payoutId' else request ->> 'refundId' end as id,
      (request ->> 'amount')::bigint as amount,
      case request ->> 'kind' when 'debit-payout' then (request ->> 'fee')::bigint else 0 end as fee
    from result where environment = $1 and outcome = 'applied'
      and request ->> 'kind' in ('credit-deposit', 'debit-payout', 'refund-deposit', 'hold-receipt')
  )
  select coalesce(reference.id, made.id) as name, format('%s + %s', reference.amount, reference.fee) as remembered,
    format('%s + %s', made.amount, made.fee) as follows
  from (select id, amount, fee from reference where environment = $1 and kind <> 'dispute') as reference
  full join made on made.id = reference.id
  where (reference.amount, reference.fee) is distinct from (made.amount, made.fee)
  order by name limit $2`;

/** A deposit is spoken for by its refunds and disputes, and by nothing else. */
const committedSql = `
  select deposit.id as name, deposit.used::text as remembered, coalesce(owed.amount, 0)::text as follows
  from reference as deposit left join (
    select deposit_id, sum(amount) as amount from reference
    where environment = $1 and ((kind = 'refund' and state in ('reserved', 'redebited'))
      or (kind = 'dispute' and state in ('open', 'lost')))
    group by deposit_id
  ) as owed on owed.deposit_id = deposit.id
  where deposit.environment = $1 and deposit.kind = 'deposit' and deposit.used <> coalesce(owed.amount, 0)
  order by name limit $2`;

/** What deposits have pending and disputes have blocked is what the balances have. */
const heldSql = `
  select concat_ws(' ', balance.account_id, balance.currency) as name,
    format('%s pending, %s blocked', coalesce(held.pending, 0), coalesce(held.blocked, 0)) as remembered,
    format('%s pending, %s blocked', balance.pending, balance.blocked) as follows
  from balance left join (
    select account_id, currency, sum(held) filter (where kind = 'deposit') as pending,
      sum(held) filter (where kind = 'dispute') as blocked
    from reference where environment = $1 and held > 0 group by account_id, currency
  ) as held using (account_id, currency)
  where balance.environment = $1
    and (balance.pending, balance.blocked) <> (coalesce(held.pending, 0), coalesce(held.blocked, 0))
  order by name limit $2`;

/** What accounts owe for what left all the same is what we are owed. */
const owedSql = `
  select concat_ws(' ', 'receivables', currency) as name, coalesce(owed.amount, 0)::text as remembered,
    coalesce(booked.amount, 0)::text as follows
  from (
    select currency, sum(shortfall) as amount from reference
    where environment = $1 and kind in ('payout', 'refund') and shortfall > 0 group by currency
  ) as owed full join (
    select currency, -sum(amount) as amount from system_balance
    where environment = $1 and account = 'receivables' group by currency
  ) as booked using (currency)
  where coalesce(owed.amount, 0) <> coalesce(booked.amount, 0)
  order by name limit $2`;

const shownMax = 20;

interface Difference {
  readonly name: string;
  readonly remembered: string;
  readonly follows: string;
}

/**
 * What the ledger remembers of records decides what comes later: how much of a deposit may go back, whether a payout is
 * settled. It follows from the chain, and has to add up to what the chain made of the balances.
 */
export async function checkReferences(snapshot: Snapshot, environment: Environment, findings: Findings): Promise<void> {
  const checks = { amount: asDecidedSql, committed: committedSql, held: heldSql, owed: owedSql };
  for (const [what, sql] of Object.entries(checks)) {
    for (const { name, remembered, follows } of await snapshot.query<Difference>(sql, [environment, shownMax])) {
      findings.add(`${name}: ${what} ${remembered} is remembered, ${follows} follows`);
    }
  }
}
