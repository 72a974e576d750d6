import type { FastifyInstance } from 'fastify';
import type { Pool, PoolClient } from 'pg';
import { newId } from '@gateway/money';
import type { Bank } from './bank.ts';
import { callerOf, text, type Caller } from './routes.ts';

interface PayoutBody {
  amount_cents: number;
  external_id: string;
  pix_key: string;
  pix_key_type: string;
  recipient: { name: string; document: string; email?: string; phone?: string };
  kind?: string;
  enforce_ownership?: boolean;
  metadata?: Record<string, string>;
}

interface PayoutRow {
  id: string;
  external_id: string;
  state: string;
  amount: number;
  fee: number;
  returned: number;
  key: string;
  key_type: string;
  recipient: object;
  kind: string;
  e2e_id: string | null;
  failure_reason: string | null;
  failure_message: string | null;
  metadata: object;
  environment: string;
  created_at: Date;
  paid_at: Date | null;
}

const currency = 'BRL';
const feeCents = 10;

const bodySchema = {
  type: 'object',
  required: ['amount_cents', 'external_id', 'pix_key', 'pix_key_type', 'recipient'],
  properties: {
    amount_cents: { type: 'integer', minimum: 1, maximum: 100_000_000_000 },
    external_id: text(1, 120),
    pix_key: text(3, 255),
    pix_key_type: { enum: ['cpf', 'cnpj', 'email', 'phone', 'random'] },
    recipient: {
      type: 'object',
      required: ['name', 'document'],
      properties: { name: text(3, 64), document: text(11, 18), email: text(3, 255), phone: text(0, 20) },
    },
    kind: { enum: ['PLAYER_PAYOUT', 'SETTLEMENT'] },
    enforce_ownership: { type: 'boolean' },
    metadata: { type: 'object', additionalProperties: text(0, 500) },
  },
};

const insertPayout = `
  insert into payout (
    environment, account_id, id, external_id, state, currency, amount, fee, key, key_type, recipient, kind,
    verify_owner, metadata, api_version, provider, reference, created_at
  ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
  on conflict (environment, account_id, external_id) do nothing
  returning *`;

const findPayout = 'select * from payout where environment = $1 and account_id = $2 and external_id = $3';

const lockBalance = `
  select available from balance where environment = $1 and account_id = $2 and currency = $3 for update`;

const debitBalance = `
  update balance set available = $4 where environment = $1 and account_id = $2 and currency = $3`;

const insertEntries = `
  insert into entry (environment, account_id, currency, id, type, amount, ref_type, ref_id, balance_after, created_at)
  values ($1, $2, $3, $4, 'PAYOUT', $5, 'payout', $8, $9, now()), ($1, $2, $3, $6, 'PAYOUT_FEE', $7, 'payout', $8, $10, now())`;

const recordSending = `
  update payout set e2e_id = $4 where environment = $1 and account_id = $2 and id = $3`;

/**
 * `POST /v1/payouts`: payout, debit under the balance's row lock, and two entries in one transaction. A live one is sent
 * to the provider once that is committed, before the answer.
 */
export function addPayoutRoute(app: FastifyInstance, pool: Pool, bank: Bank): void {
  app.post<{ Body: PayoutBody }>('/v1/payouts', { schema: { body: bodySchema } }, async (request, reply) => {
    const caller = callerOf(request);
    const { environment, accountId } = caller;
    const client = await pool.connect();
    try {
      await client.query('begin');
      const outcome = await createPayout(client, caller, request.body);
      await client.query(outcome === 'insufficient funds' ? 'rollback' : 'commit');
      if (outcome === 'insufficient funds')
        return await reply.code(422).send({ error: { code: 'INSUFFICIENT_FUNDS' } });
      const { id, amount, key } = outcome.payout;
      if (outcome.created && environment === 'live') {
        const values = [environment, accountId, id, await bank.send(id.slice('pyt_'.length), amount, key)];
        await client.query({ name: 'record-sending', text: recordSending, values });
      }
      return await reply.code(outcome.created ? 201 : 200).send({ payout: present(outcome.payout) });
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  });
}

async function createPayout(client: PoolClient, caller: Caller, body: PayoutBody) {
  const { environment, accountId } = caller;
  const values = valuesOf(caller, body);
  const inserted = await client.query<PayoutRow>({ name: 'insert-payout', text: insertPayout, values });
  const payout = inserted.rows[0];
  if (!payout) {
    const key = [environment, accountId, body.external_id];
    const found = await client.query<PayoutRow>({ name: 'find-payout', text: findPayout, values: key });
    if (!found.rows[0]) throw new Error('the payout that was in the way is gone');
    return { created: false, payout: found.rows[0] };
  }
  const debited = await debit(client, caller, payout);
  return debited ? { created: true, payout } : ('insufficient funds' as const);
}

async function debit(
  client: PoolClient,
  { environment, accountId }: Caller,
  { id, amount, fee }: PayoutRow,
): Promise<boolean> {
  const key = [environment, accountId, currency];
  const locked = await client.query<{ available: number }>({ name: 'lock-balance', text: lockBalance, values: key });
  const available = locked.rows[0]?.available ?? 0;
  if (available < amount + fee) return false;
  const rest = available - amount - fee;
  await client.query({ name: 'debit-balance', text: debitBalance, values: [...key, rest] });
  const entries = [newId('ledgerEntry'), -amount, newId('ledgerEntry'), -fee, id, available - amount, rest];
  await client.query({ name: 'insert-entries', text: insertEntries, values: [...key, ...entries] });
  return true;
}

function valuesOf({ environment, accountId }: Caller, body: PayoutBody): unknown[] {
  const id = newId('payout');
  return [
    ...[environment, accountId, id, body.external_id, 'PROCESSING', currency, body.amount_cents, feeCents],
    ...[body.pix_key, body.pix_key_type, JSON.stringify(body.recipient), body.kind ?? 'PLAYER_PAYOUT'],
    ...[
      body.enforce_ownership ?? false,
      JSON.stringify(body.metadata ?? {}),
      '0.1',
      environment === 'live' ? 'efi' : 'sandbox',
    ],
    ...[id.slice('pyt_'.length), new Date()],
  ];
}

function present(row: PayoutRow) {
  const { amount, fee, returned, key, key_type, state, created_at, paid_at, ...shown } = row;
  return {
    id: shown.id,
    object: 'payout',
    external_id: shown.external_id,
    status: state,
    amount_cents: amount,
    fee_cents: fee,
    returned_cents: returned,
    pix_key: key,
    pix_key_type: key_type,
    recipient: shown.recipient,
    kind: shown.kind,
    e2e_id: shown.e2e_id,
    failure_reason: shown.failure_reason,
    failure_message: shown.failure_message,
    metadata: shown.metadata,
    environment: shown.environment,
    created_at: Math.floor(created_at.getTime() / 1_000),
    paid_at,
  };
}
