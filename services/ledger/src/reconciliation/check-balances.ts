import type { Snapshot } from '#src/chain/snapshot.ts';
import type { ShardName } from '#src/shards.ts';
import { aboutAccount, Findings } from '#src/reconciliation/findings.ts';
import type { LedgerSums } from '#src/reconciliation/ledger-sums.ts';

const merchantsSql = `
  select account_id as account, currency, available, pending, blocked from balance where environment = $1`;
const systemsSql = `
  select account, currency, amount from system_balance where environment = $1 and shard = $2`;

interface MerchantRow {
  readonly account: string;
  readonly currency: string;
  readonly available: number;
  readonly pending: number;
  readonly blocked: number;
}

interface SystemRow {
  readonly account: string;
  readonly currency: string;
  readonly amount: number;
}

/** Every balance is the sum of its postings, and no posting belongs to a balance that is not there. */
export async function checkBalances(snapshot: Snapshot, shard: ShardName, sums: LedgerSums): Promise<Findings> {
  const findings = new Findings();
  const expected = new Map<string, number>();
  for (const row of await snapshot.query<MerchantRow>(merchantsSql, [shard.environment])) {
    for (const bucket of ['available', 'pending', 'blocked'] as const) {
      expected.set(`${row.account} ${bucket} ${row.currency}`, row[bucket]);
    }
  }
  for (const row of await snapshot.query<SystemRow>(systemsSql, [shard.environment, shard.shard])) {
    expected.set(`${row.account} system ${row.currency}`, row.amount);
  }
  for (const key of sums.keys()) if (!expected.has(key)) expected.set(key, 0);
  for (const [key, balance] of expected) {
    const [account = '', bucket = '', currency = ''] = key.split(' ');
    findings.examined++;
    const sum = sums.sumOf(account, bucket, currency);
    if (sum === balance) continue;
    const about = { ...aboutAccount(account, currency), kind: 'balance_differs', expected: sum, found: balance };
    findings.add(`${key}: balance ${balance}, postings ${sum}`, about);
  }
  return findings;
}
