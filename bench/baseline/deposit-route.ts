import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { newId } from '@gateway/money';
import type { Bank } from './bank.ts';
import { callerOf, text, type Caller } from './routes.ts';

interface DepositBody {
  amount_cents: number;
  external_id: string;
  payer?: { name?: string; email?: string; phone?: string; document?: string };
  expires_in_sec?: number;
  callback_url?: string;
  metadata?: Record<string, string>;
}

interface DepositRow {
  id: string;
  external_id: string;
  state: string;
  amount: number;
  fee: number;
  refunded: number;
  emv: string;
  payer: object | null;
  metadata: object;
  environment: string;
  created_at: Date;
  expires_at: Date;
}

const feeCents = 10;
const expiresInSecDefault = 86_400;

const bodySchema = {
  type: 'object',
  required: ['amount_cents', 'external_id'],
  properties: {
    amount_cents: { type: 'integer', minimum: 1, maximum: 100_000_000_000 },
    external_id: text(1, 120),
    payer: {
      type: 'object',
      properties: { name: text(3, 64), email: text(3, 255), phone: text(0, 20), document: text(11, 18) },
    },
    expires_in_sec: { type: 'integer', minimum: 60, maximum: 2_592_000 },
    callback_url: text(1, 2048),
    metadata: { type: 'object', additionalProperties: text(0, 500) },
  },
};

const insert = `
  insert into deposit (
    environment, account_id, id, external_id, state, currency, payment_method, amount, fee, provider, reference,
    provider_ref, emv, redirect_url, payer, callback_url, metadata, api_version, retention_days, created_at, expires_at
  ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
  on conflict (environment, account_id, external_id) do nothing
  returning *`;

const find = 'select * from deposit where environment = $1 and account_id = $2 and external_id = $3';

/** `POST /v1/deposits`: one insert, idempotent by its unique constraint; live after the provider has made the charge. */
export function addDepositRoute(app: FastifyInstance, pool: Pool, bank: Bank): void {
  app.post<{ Body: DepositBody }>('/v1/deposits', { schema: { body: bodySchema } }, async (request, reply) => {
    const caller = callerOf(request);
    const id = newId('deposit');
    const reference = id.slice('dep_'.length);
    const emv =
      caller.environment === 'live' ? await bank.charge(reference, request.body.amount_cents) : testEmv(reference);
    const values = valuesOf(caller, request.body, { id, reference, emv });
    const inserted = await pool.query<DepositRow>({ name: 'insert-deposit', text: insert, values });
    if (inserted.rows[0]) return await reply.code(201).send(present(inserted.rows[0]));
    const key = [caller.environment, caller.accountId, request.body.external_id];
    const found = await pool.query<DepositRow>({ name: 'find-deposit', text: find, values: key });
    const existing = found.rows[0];
    if (!existing) throw new Error('the deposit that was in the way is gone');
    return await reply.code(200).send(present(existing));
  });
}

function testEmv(reference: string): string {
  const location = `pix.sandbox.invalid/qr/v2/${reference}`;
  return `00020101021226680014br.gov.bcb.pix2546${location}5204000053039865802BR5909TEST MODE6007SANDBOX62070503***6304ABCD`;
}

interface Charge {
  readonly id: string;
  readonly reference: string;
  readonly emv: string;
}

function valuesOf({ environment, accountId }: Caller, body: DepositBody, { id, reference, emv }: Charge): unknown[] {
  const provider = environment === 'live' ? 'efi' : 'sandbox';
  const now = Date.now();
  const expiresAt = new Date(now + (body.expires_in_sec ?? expiresInSecDefault) * 1_000);
  return [
    ...[environment, accountId, id, body.external_id, 'PENDING', 'BRL', 'PIX', body.amount_cents, feeCents, provider],
    ...[reference, reference, emv, null, body.payer ? JSON.stringify(body.payer) : null, body.callback_url ?? null],
    ...[JSON.stringify(body.metadata ?? {}), '0.1', 0, new Date(now), expiresAt],
  ];
}

function present(row: DepositRow) {
  return {
    id: row.id,
    object: 'deposit',
    external_id: row.external_id,
    status: row.state,
    amount_cents: row.amount,
    fee_cents: row.fee,
    net_cents: row.amount - row.fee,
    refunded_cents: row.refunded,
    pix: { emv: row.emv, qr_url: null },
    payer: row.payer,
    metadata: row.metadata,
    environment: row.environment,
    created_at: Math.floor(row.created_at.getTime() / 1_000),
    expires_at: Math.floor(row.expires_at.getTime() / 1_000),
  };
}
