import type { Snapshot } from '#src/chain/walk-chain.ts';
import { Findings } from '#src/reconciliation/ledger-sums.ts';
import type { ShardName } from '#src/shards.ts';

/** Where a chain stood at a reconciliation. */
export interface RecordedHead extends ShardName {
  readonly sequence: number;
  readonly hash: string;
}

const headsSql = `select environment, shard, head_sequence as sequence, encode(head_hash, 'hex') as hash from shard`;
const lastHeadsSql = `select id, heads from reconciliation where heads is not null order by id desc limit 1`;
const hashSql = `select encode(hash, 'hex') as hash from result where environment = $1 and shard = $2 and sequence = $3`;

export async function readHeads(snapshot: Snapshot): Promise<RecordedHead[]> {
  return await snapshot.query<RecordedHead>(headsSql, []);
}

/**
 * The result that ended the chain at the last reconciliation is still there, with its link: an end that was taken away
 * together with everything that tells of it is found by what was noted elsewhere.
 */
export async function checkHeads(snapshot: Snapshot, { environment, shard }: ShardName): Promise<Findings> {
  const findings = new Findings();
  const [last] = await snapshot.query<{ id: string; heads: readonly RecordedHead[] }>(lastHeadsSql, []);
  const recorded = last?.heads.find((head) => head.environment === environment && head.shard === shard);
  if (!last || !recorded || recorded.sequence === 0) return findings;
  findings.examined = 1;
  const [found] = await snapshot.query<{ hash: string }>(hashSql, [environment, shard, recorded.sequence]);
  if (!found) findings.add(`result ${recorded.sequence}, the last one at ${last.id}, is gone`);
  else if (found.hash !== recorded.hash)
    findings.add(`result ${recorded.sequence} is not the one it was at ${last.id}`);
  return findings;
}

const countsSql = `select
  (select count(*) from command where environment = $1 and shard = $2) as commands,
  (select count(*) from result where environment = $1 and shard = $2) as results`;

/** Every id that was ever decided has its result, and the other way round. */
export async function checkCommands(snapshot: Snapshot, { environment, shard }: ShardName): Promise<Findings> {
  const findings = new Findings();
  const [counted] = await snapshot.query<{ commands: number; results: number }>(countsSql, [environment, shard]);
  const { commands = 0, results = 0 } = counted ?? {};
  findings.examined = commands;
  if (commands !== results) findings.add(`${commands} command ids were decided, ${results} results are there`);
  return findings;
}
