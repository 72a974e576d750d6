import { Client } from 'pg';
import type { Stage } from '../stage/stage.ts';

/** What must be empty when everything has been done, by service; queries that answer one number. */
const unfinished: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  deposits: {
    'deposits being created': `select count(*)::int as number from deposit where state = 'CREATING'`,
    'refunds under way': `select count(*)::int as number from refund where state in ('RESERVING', 'RELEASING', 'SENDING', 'REVERSING')`,
  },
  payouts: {
    'payouts between two states': `select count(*)::int as number from payout
      where state not in ('PENDING', 'PROCESSING', 'PAID', 'FAILED', 'REJECTED')`,
  },
  webhooks: { 'deliveries to make': `select count(*)::int as number from delivery where state in (0, 1)` },
};

/** Messages that wait for the bus, and work that is not done, each as one line. */
export async function leftovers({ stack }: Stage): Promise<string[]> {
  const found: string[] = [];
  for (const [database, url] of Object.entries(stack.databaseUrls)) {
    const service = database.replace('gateway_', '').replaceAll('_', '-');
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    await client.connect();
    try {
      const has = await client.query(`select to_regclass('outbox') is not null as outbox`);
      const questions = {
        ...(has.rows[0].outbox ? { 'messages in the outbox': 'select count(*)::int as number from outbox' } : {}),
        ...(has.rows[0].outbox
          ? {
              'dead letters': `select count(*)::int as number from dead_letter where retried_at is null and discarded_at is null`,
            }
          : {}),
        ...unfinished[service],
      };
      for (const [what, sql] of Object.entries(questions)) {
        const { rows } = await client.query<{ number: number }>(sql);
        if (rows[0]!.number > 0) found.push(`${service}: ${rows[0]!.number} ${what}`);
      }
    } finally {
      await client.end();
    }
  }
  return found;
}
