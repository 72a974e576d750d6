import { Client } from 'pg';
import { eventually } from '@gateway/test-kit';
import type { Stage } from '../stage/stage.ts';

/** Lookups are 5 s, 15 s, 1 min and 5 min apart; then a payout its provider does not know is sent again. */
const timeoutMs = 480_000;

/** @throws Error when a payout whose provider was not heard of has not come to its end by then */
export async function awaitInFlight({ stack }: Stage, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await using connections = new AsyncDisposableStack();
  const client = new Client({ connectionString: stack.databaseUrls['gateway_payouts']! });
  connections.defer(() => client.end());
  await client.connect();
  const ended = async () => {
    const sql = `select id, state from payout where id = any($1) and state <> 'PAID'`;
    const { rows } = await client.query<{ id: string; state: string }>(sql, [ids]);
    if (rows.length > 0) throw new Error(`stuck: ${rows.map(({ id, state }) => `${id} ${state}`).join(', ')}`);
  };
  await eventually(ended, { timeoutMs, everyMs: 1_000 });
}
