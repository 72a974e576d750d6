import { Client } from 'pg';
import { eventually } from '@gateway/test-kit';
import type { Answer } from './merchant-client.ts';

type Call = (operation: string, body?: unknown) => Promise<Answer>;

const recipient = { name: 'Maria da Silva', document: '529.982.247-25' };
let sequence = 0;
const externalId = () => `event-${++sequence}`;

/** Does what every event of a deposit, refund, dispute, payout, conversion and export follows from. */
export async function causeEvents(call: Call, beta: Call): Promise<void> {
  await causeDepositEvents(call, beta);
  await causeDisputeEvents(call);
  await causePayoutEvents(call);
  const order = { from: 'BRL', to: 'USDT', amount: 1_000 };
  await call('POST /v1/conversions', { ...order, external_id: externalId() });
  await orderExport(call);
}

/** Orders a file, and reads what was ordered. */
export async function orderExport(call: Call): Promise<void> {
  const day = { from: '2026-01-01', to: '2026-01-01' };
  const file = { kind: 'statement', format: 'camt053', currency: 'BRL', ...day };
  const { body } = await call('POST /v1/exports', { ...file, external_id: externalId() });
  await call(`GET /v1/exports/${body.id}`);
  await call('GET /v1/exports');
}

async function paidDeposit(call: Call): Promise<string> {
  const { body } = await call('POST /v1/deposits', { amount_cents: 10_000, external_id: externalId() });
  await call(`POST /v1/test/deposits/${body.id}/pay`);
  return body.id;
}

async function causeDepositEvents(call: Call, beta: Call): Promise<void> {
  for (const end of ['deposits/:id/cancel', 'test/deposits/:id/expire']) {
    const { body } = await call('POST /v1/deposits', { amount_cents: 100, external_id: externalId() });
    await call(`POST /v1/${end.replace(':id', body.id)}`);
  }
  const refunded = await paidDeposit(call);
  await call(`POST /v1/deposits/${refunded}/refunds`, { external_id: externalId() });
  const kept = await paidDeposit(call);
  const refused = { amount_cents: 100, external_id: externalId(), reason: 'refuse@sandbox.test' };
  await call(`POST /v1/deposits/${kept}/refunds`, refused);
  const pesos = { amount: 5_000, currency: 'MXN', payment_method: 'SPEI', external_id: externalId() };
  const { body: spei } = await beta('POST /v1/deposits', pesos);
  await beta(`POST /v1/test/deposits/${spei.id}/pay`, { amount: 2_000 });
}

async function causeDisputeEvents(call: Call): Promise<void> {
  for (const result of ['won', 'lost']) {
    const { body: dispute } = await call(`POST /v1/test/deposits/${await paidDeposit(call)}/dispute`);
    await call(`POST /v1/disputes/${dispute.id}/evidence`, { text: 'delivered' });
    await call(`POST /v1/test/disputes/${dispute.id}/resolve`, { result });
  }
}

async function causePayoutEvents(call: Call): Promise<void> {
  const create = async (key: string): Promise<string> => {
    const amounts = { amount_cents: 100, external_id: externalId(), recipient };
    const { body } = await call('POST /v1/payouts', { ...amounts, pix_key: key, pix_key_type: 'email' });
    return body.payout.id;
  };
  for (const results of [['failed'], ['paid', 'returned']]) {
    const id = await create('hold@sandbox.test');
    for (const result of results) await call(`POST /v1/test/payouts/${id}/settle`, { result });
  }
  await call(`POST /v1/payouts/${await create('approve@sandbox.test')}/cancel`);
}

/**
 * Lets a webhook whose calls fail have failed for an hour already.
 *
 * @param databaseUrl of the webhooks service
 */
export async function failForAnHour(databaseUrl: string, webhookId: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await eventually(async () => {
      const { rowCount } = await client.query(
        `update endpoint_queue set failing_since = now() - interval '61 minutes'
          where endpoint_id = $1 and failing_since is not null`,
        [webhookId],
      );
      if (rowCount !== 1) throw new Error('no call of the webhook has failed so far');
    });
  } finally {
    await client.end();
  }
}
