import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';

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
    const { environment, accountId } = callerOf(request);
    const values = [environment, accountId];
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

export const accountHeader = 'x-account-id';
export const environmentHeader = 'x-environment';

export interface Caller {
  readonly accountId: string;
  /** `live` is what goes through the provider. */
  readonly environment: 'test' | 'live';
}

/** The baseline believes every caller: it has no keys to check. */
export function callerOf({ headers }: FastifyRequest): Caller {
  const accountId = headers[accountHeader];
  if (typeof accountId !== 'string') throw new TypeError(`the header ${accountHeader} is required`);
  return { accountId, environment: headers[environmentHeader] === 'live' ? 'live' : 'test' };
}

/** JSON schema of a text. */
export function text(minLength: number, maxLength: number) {
  return { type: 'string', minLength, maxLength };
}
