import type { Database } from '@gateway/persistence';
import { level, startLoop, type Logger } from '@gateway/runtime';

const sampleIntervalMs = 30_000;

const treeLag = level('gateway_ledger_tree_lag_links', 'Decisions that the tree over the chain does not have yet', [
  'shard',
]);
const uncovered = level(
  'gateway_ledger_checkpoint_lag_seconds',
  'Since when decisions wait for a signed checkpoint: since the last one; 0 while all are covered',
  ['shard'],
);

/** Read from the tables, so that it is seen also while the process that ought to do the work does not. */
const lagSql = `
  select concat(s.environment, '.', s.shard) as shard, s.head_sequence - t.size as links,
    case when s.head_sequence > coalesce(n.size, 0) then extract(epoch from
      clock_timestamp() - coalesce(n.signed_at, to_timestamp(s.decided_at_ms / 1000.0)))::float8 else 0 end as seconds
  from shard s join tree_head t using (environment, shard) left join lateral (
    select size, signed_at from checkpoint_note where environment = s.environment and shard = s.shard
    order by size desc limit 1
  ) n on true`;

export function observeProof(database: Database, logger: Logger): AsyncDisposable {
  return startLoop({
    name: 'proof metrics',
    intervalMs: sampleIntervalMs,
    logger,
    work: async () => {
      const rows = await database.query<{ shard: string; links: number; seconds: number }>(lagSql, [], 'proof-lag');
      for (const { shard, links, seconds } of rows) {
        treeLag.set(links, { shard });
        uncovered.set(seconds, { shard });
      }
    },
  });
}
