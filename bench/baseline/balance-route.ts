import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { accountOf } from './request.ts';

interface BalanceRow {
  currency: string;
  available: number;
  pending: number;
  blocked: number;
}

const select = 'select currency, available, pending, blocked from balance where environment = $1 and account_id = $2';

/** `GET /v1/balance`: one indexed SELECT. */
export function addBalanceRoute(app: FastifyInstance, pool: Pool): void {
  app.get('/v1/balance', async (request) => {
    const values = ['test', accountOf(request)];
    const { rows } = await pool.query<BalanceRow>({ name: 'select-balance', text: select, values });
    return { brl: bucketsOf(rows, 'BRL'), usdt: bucketsOf(rows, 'USDT') };
  });
}

function bucketsOf(rows: readonly BalanceRow[], currency: string) {
  const { available = 0, pending = 0, blocked = 0 } = rows.find((row) => row.currency === currency) ?? {};
  return {
    available_cents: available,
    pending_cents: pending,
    blocked_cents: blocked,
    total_cents: available + pending + blocked,
  };
}
