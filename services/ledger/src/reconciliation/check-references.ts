import type { Environment } from '@gateway/contracts/values';
import { idLowerBound } from '@gateway/money';
import type { Snapshot } from '#src/chain/snapshot.ts';
import { endOfMonth } from '#src/chapters/chapter.ts';
import { readDetached } from '#src/chapters/month-file.ts';
import { aboutAccount, type FindingAbout, Findings } from '#src/reconciliation/findings.ts';

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
    and right(coalesce(reference.id, made.id), 26) >= $3
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
    and right(deposit.id, 26) >= $3
  order by name limit $2`;

/** The state of a record is where the last command left it that changes states. */
const stateSql = `
  with changing (command, state) as (values
    ('debit-payout', 'debited'), ('settle-payout', 'settled'), ('reverse-payout', 'reversed'),
    ('redebit-payout', 'settled'), ('refund-deposit', 'reserved'), ('reverse-refund', 'reversed'),
    ('redebit-refund', 'redebited'), ('hold-receipt', 'held'), ('return-receipt', 'returned'),
    ('block-dispute', 'open'), ('release-dispute', 'won'), ('return-dispute', 'lost'), ('overturn-dispute', 'won')
  ), reached as (
    select coalesce(request ->> 'payoutId', request ->> 'refundId', request ->> 'disputeId') as id,
      (array_agg(changing.state order by sequence desc))[1] as state
    from result join changing on changing.command = request ->> 'kind'
    where environment = $1 and outcome = 'applied' group by 1
  )
  select coalesce(reference.id, reached.id) as name, coalesce(reference.state, 'nothing') as remembered,
    coalesce(reached.state, 'nothing') as follows
  from (select id, state from reference where environment = $1 and kind <> 'deposit') as reference
  full join reached on reached.id = reference.id
  where reference.state is distinct from reached.state and right(coalesce(reference.id, reached.id), 26) >= $3
  order by name limit $2`;

/**
 * What a record has moved of its account's available balance, by its entries, is what is remembered of it: of a deposit the
 * net amount less what is pending; of a payout and a refund what was debited, without what is still owed or came back; of a
 * dispute what is blocked and what went to the payer.
 */
const movedSql = `
  with moved as (
    select ref_id as id, sum(amount)::bigint as amount from entry
    where environment = $1 and ref_type in ('deposit', 'payout', 'refund', 'dispute') group by ref_id
  ), net as (
    select request ->> 'depositId' as id, (request ->> 'amount')::bigint - (request ->> 'fee')::bigint as amount
    from result where environment = $1 and outcome = 'applied' and request ->> 'kind' = 'credit-deposit'
  ), remembered as (
    select reference.id, case kind
        when 'deposit' then net.amount - held
        when 'payout' then used + shortfall - case state when 'reversed' then 0 else reference.amount + fee end
        when 'refund' then shortfall - case when state in ('reserved', 'redebited') then reference.amount else 0 end
        else -(held + used) end as amount
    from reference left join net on net.id = reference.id and reference.kind = 'deposit'
    where environment = $1
  )
  select coalesce(remembered.id, moved.id) as name, coalesce(remembered.amount, 0)::text as remembered,
    coalesce(moved.amount, 0)::text as follows
  from remembered full join moved on moved.id = remembered.id
  where coalesce(remembered.amount, 0) <> coalesce(moved.amount, 0)
    and right(coalesce(remembered.id, moved.id), 26) >= $3
  order by name limit $2`;

/** What came back of a payout is what its returns have credited. */
const returnedSql = `
  with returned as (
    select request ->> 'payoutId' as id, sum((request ->> 'amount')::bigint)::bigint as amount from result
    where environment = $1 and outcome = 'applied' and request ->> 'kind' = 'return-payout' group by 1
  )
  select reference.id as name, used::text as remembered, coalesce(returned.amount, 0)::text as follows
  from reference left join returned on returned.id = reference.id
  where environment = $1 and kind = 'payout' and used <> coalesce(returned.amount, 0) and right(reference.id, 26) >= $3
  order by name limit $2`;

/** A dispute lacks what is due and neither blocked nor gone, until it is won or its time has ended. */
const lackedSql = `
  with lapsed as (
    select distinct request ->> 'disputeId' as id from result
    where environment = $1 and outcome = 'applied' and request ->> 'kind' = 'lapse-dispute'
  ), due as (
    select reference.id, shortfall,
      case when state = 'won' or lapsed.id is not null then 0 else amount - held - used end as lacked
    from reference left join lapsed on lapsed.id = reference.id
    where environment = $1 and kind = 'dispute'
  )
  select id as name, shortfall::text as remembered, lacked::text as follows from due
  where shortfall <> lacked and right(id, 26) >= $3
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

const countSql = `select count(*) as count from reference where environment = $1`;

/** By what they are called in a finding. These follow from the chain: $3 is where the ids begin of what all of it is about. */
const checks = {
  amount: asDecidedSql,
  state: stateSql,
  moved: movedSql,
  returned: returnedSql,
  lacked: lackedSql,
  committed: committedSql,
} as const;

/** These compare what is remembered with the balances. */
const balanceChecks = { held: heldSql, owed: owedSql } as const;

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
export async function checkReferences(snapshot: Snapshot, environment: Environment): Promise<Findings> {
  const findings = new Findings();
  const firstId = await firstWholeRecord(snapshot);
  const counted = await snapshot.query<{ count: number }>(countSql, [environment]);
  findings.examined = counted[0]?.count ?? 0;
  const compare = async (what: string, sql: string, params: readonly unknown[]) => {
    for (const { name, remembered, follows } of await snapshot.query<Difference>(sql, params)) {
      const about = { ...namedBy(name), kind: `${what}_differs`, expected: follows, found: remembered };
      findings.add(`${name}: ${what} ${remembered} is remembered, ${follows} follows`, about);
    }
  };
  for (const [what, sql] of Object.entries(checks)) await compare(what, sql, [environment, shownMax, firstId]);
  for (const [what, sql] of Object.entries(balanceChecks)) await compare(what, sql, [environment, shownMax]);
  return findings;
}

/** A record by its id, or an account with its currency. */
function namedBy(name: string): Omit<FindingAbout, 'kind'> {
  const [first = '', currency] = name.split(' ');
  return currency === undefined ? { recordId: first } : aboutAccount(first, currency);
}

/**
 * Without the results of a month that was detached, nothing follows for records that were there then: records since are
 * compared. Ids are as old as their records, and nothing is decided about a record before.
 */
async function firstWholeRecord(snapshot: Snapshot): Promise<string> {
  const detached = await readDetached((text, params) => snapshot.query(text, params));
  if (detached.length === 0) return '';
  const endMs = Math.max(...detached.map(({ month }) => endOfMonth(month)));
  return idLowerBound('deposit', endMs).slice(-26);
}
