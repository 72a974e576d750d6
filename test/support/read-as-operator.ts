import { expect } from 'vitest';
import { eventually } from '@gateway/test-kit';
import type { DescribedClient } from './described-client.ts';
import { formWithFile } from './form-with-file.ts';
import { everyPeopleOperation } from './people-operations.ts';

type Call = ReturnType<DescribedClient['as']>;

interface ReadAccount {
  readonly id: string;
  /** Calls as the merchant, whose payouts wait for approval. */
  readonly call: Call;
  readonly receiverUrl: string;
}

/** What operators find and read of one account's records. */
export async function readAsOperator(ana: Call, { id, call, receiverUrl }: ReadAccount): Promise<void> {
  const { body: webhook } = await call('POST /v1/webhooks', { name: 'shop', url: receiverUrl });
  const deposit = await readPayments(ana, call, id);
  const account = `/ops/accounts/${id}`;
  expect((await ana('GET /ops/audit')).body.data.length).toBeGreaterThan(10);
  expect((await ana('GET /ops/overview?environment=test')).body.incomplete).toEqual([]);
  expect((await ana('GET /ops/ledger/test/0/chain')).body).toMatchObject({ contradictions: [], lost_from: null });
  expect((await ana('POST /ops/ledger/test/0/incarnations', { reason: 'no loss' })).status).toBe(409);
  for (const money of ['balance', 'pending', 'transactions']) await ana(`GET ${account}/${money}?environment=test`);
  await readTree(ana);
  const { body: statement } = await ana(`GET ${account}/transactions?environment=test`);
  await ana(`GET ${account}/transactions/${statement.data[0].id}/receipt?environment=test`);
  await ana(`GET ${account}/webhooks?environment=test`);
  const path = `${account}/webhooks/${webhook.id}`;
  await ana(`GET ${path}`);
  await ana(`POST ${path}/pause`);
  await ana(`POST ${path}/enable`);
  await ana(`POST ${path}/recover`, { since: 0 });
  const delivery = await eventually(async () => {
    const { body } = await ana(`GET ${path}/deliveries?data_id=${deposit}&status=DELIVERED`);
    expect(body.data.length).toBeGreaterThan(0);
    return body.data[0];
  });
  await ana(`GET ${path}/deliveries/${delivery.id}`);
  await ana(`POST ${path}/deliveries/${delivery.id}/redeliver`);
  await ana(`GET /ops/deliveries?data_id=${deposit}`);
  await ana(`GET ${account}/deliveries/${delivery.id}`);
  await ana(`POST ${account}/deliveries/${delivery.id}/redeliver`);
  await ana(`GET /ops/totals?environment=test&account_id=${id}`);
  await ana('GET /ops/provider-totals?environment=test');
  await ana('GET /ops/backlog?environment=test&by=hour');
  expect((await ana('GET /ops/provider-calls?environment=test')).body.incomplete).toEqual([]);
  await ana(`GET /ops/requests?account_id=${id}&status=4xx&limit=1`);
  await ana(`GET /ops/compat/integrations?account_id=${id}`);
  await ana(`DELETE /ops/compat/integrations?account_id=${id}&prefix=alt`);
  await ana('GET /ops/providers/test/sandbox');
  await ana('PATCH /ops/providers/test/sandbox', { enabled: true });
}

async function readTree(ana: Call): Promise<void> {
  const tree = '/ops/proof/test/0';
  const { body: checkpoint } = await ana(`GET ${tree}/checkpoint`);
  await ana(`GET ${tree}/tile/0/0`);
  await ana(`GET ${tree}/consistency?from=1&to=${checkpoint.checkpoint.split('\n')[1]}`);
  await ana(`GET ${tree}/anchors?target=timestamp&status=KEPT&limit=1`);
  await ana('GET /ops/proof/keys');
  // Nothing is replaced before another operator approves.
  expect((await ana('POST /ops/proof/keys', { reason: 'a year old' })).body.approval.state).toBe('PROPOSED');
}

/** @returns the id of a paid deposit */
async function readPayments(ana: Call, call: Call, id: string): Promise<string> {
  const charge = { amount_cents: 700, external_id: 'read-deposit' };
  const deposit: string = (await call('POST /v1/deposits', charge)).body.id;
  await call(`POST /v1/test/deposits/${deposit}/pay`);
  await ana(`GET /ops/deposits?account_id=${id}`);
  await ana(`GET /ops/deposits/${deposit}`);
  await ana(`GET /ops/deposits/${deposit}/timeline`);
  await ana(`POST /ops/deposits/${deposit}/look-up`);
  const recipient = { name: 'Maria da Silva', document: '529.982.247-25' };
  const key = { pix_key: 'hold@sandbox.test', pix_key_type: 'email' };
  const held = { amount_cents: 100, external_id: 'read-payout', recipient, ...key };
  const { payout } = (await call('POST /v1/payouts', held)).body;
  await ana(`POST /ops/payouts/${payout.id}/approve`);
  await ana(`GET /ops/payouts/${payout.id}/timeline`);
  await eventually(async () => {
    expect((await ana(`POST /ops/payouts/${payout.id}/look-up`)).status).toBe(200);
  });
  const { refund } = (
    await call(`POST /v1/deposits/${deposit}/refunds`, { amount_cents: 1, external_id: 'read-refund' })
  ).body;
  await ana(`GET /ops/refunds/${refund.id}`);
  await ana(`GET /ops/refunds/${refund.id}/timeline`);
  expect((await ana(`POST /ops/refunds/${refund.id}/look-up`)).body.refund.status).toBe('DONE');
  const { body: dispute } = await call(`POST /v1/test/deposits/${deposit}/dispute`, { amount_cents: 1 });
  await ana(`GET /ops/disputes/${dispute.id}`);
  await ana(`GET /ops/disputes/${dispute.id}/timeline`);
  const { bytes, headers } = await formWithFile();
  const { id: fileId, sha256 } = (await ana(`POST /ops/disputes/${dispute.id}/files`, bytes, headers)).body;
  await ana(`POST /ops/disputes/${dispute.id}/evidence`, { text: 'delivered', files: [{ id: fileId, sha256 }] });
  await ana(`GET /ops/disputes/${dispute.id}/files/${fileId}`);
  const exchange = { from: 'BRL', to: 'USDT', amount: 100, external_id: 'read-conversion' };
  const { conversion } = (await call('POST /v1/conversions', exchange)).body;
  await ana('GET /ops/conversions');
  await ana(`GET /ops/conversions/${conversion.id}`);
  await ana(`GET /ops/conversions/${conversion.id}/timeline`);
  expect((await ana(`GET /ops/search?q=${deposit}`)).body.data).toHaveLength(1);
  const { data: activity } = (await ana(`GET /ops/accounts/${id}/activity?environment=test`)).body;
  expect(activity.map((record: { id: string }) => record.id)).toEqual(
    expect.arrayContaining([deposit, payout.id, refund.id]),
  );
  return deposit;
}

/** Two operators invite the first owner of an account, and one of them takes it back. */
export async function inviteFirstOwner(ana: Call, bruno: Call, accountId: string): Promise<void> {
  const path = `/ops/accounts/${accountId}`;
  const owner = await ana(`POST ${path}/first-owner`, { name: 'olga.dias', reason: 'named in the contract' });
  await bruno(`POST /ops/approvals/${owner.body.approval.id}/approve`);
  const [invited] = (await ana(`GET ${path}/people`)).body.invitations;
  await ana(`POST ${path}/first-owner/revoke`, { invitation_id: invited.id });
  await everyPeopleOperation(ana, bruno);
}
