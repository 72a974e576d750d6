import type { Snapshot } from '#src/chain/walk-chain.ts';
import { Findings } from '#src/reconciliation/ledger-sums.ts';
import type { ShardName } from '#src/shards.ts';

/** Accounts money only passes through, and what is on its way through each of them. */
const explainedSql = `
  with expected as (
    select 'transit:payouts' as account, currency, sum(amount) as amount from reference
    where environment = $1 and kind = 'payout' and state = 'debited' group by 2
    union all
    select 'receivables', currency, -sum(shortfall) from reference
    where environment = $1 and kind in ('payout', 'refund') and shortfall > 0 group by 2
    union all
    select 'suspense', currency, sum(amount) from (
      select currency, amount from reference where environment = $1 and kind = 'refund' and state = 'held'
      union all
      select currency, -amount from entry where environment = $1 and type = 'ADJUSTMENT'
    ) suspended group by 2
  ), booked as (
    select account, currency, amount from system_balance
    where environment = $1 and shard = $2 and account in ('transit:payouts', 'receivables', 'suspense')
  )
  select account, currency, coalesce(b.amount, 0) as booked, coalesce(e.amount, 0)::bigint as expected
  from booked b full join expected e using (account, currency) order by account, currency`;

interface AccountRow {
  readonly account: string;
  readonly currency: string;
  readonly booked: number;
  readonly expected: number;
}

/** Transit is the payouts under way, receivables what merchants owe, suspense the receipts held and what was adjusted. */
export async function checkSystemAccounts(snapshot: Snapshot, { environment, shard }: ShardName): Promise<Findings> {
  const findings = new Findings();
  for (const { account, currency, booked, expected } of await snapshot.query<AccountRow>(explainedSql, [
    environment,
    shard,
  ])) {
    findings.examined++;
    if (booked !== expected) findings.add(`${account} ${currency}: ${booked} booked, ${expected} explained`);
  }
  return findings;
}
