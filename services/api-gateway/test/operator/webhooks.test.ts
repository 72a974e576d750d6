import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NotFoundError } from '@gateway/contracts/errors';
import {
  findDeliveries,
  getAccountDelivery,
  getDelivery,
  getWebhook,
  listDeliveries,
  listWebhooks,
  recoverDeliveries,
  redeliverAccountDelivery,
  updateWebhook,
  type Delivery,
  type Webhook,
} from '@gateway/contracts/webhooks';
import { newId } from '@gateway/money';
import { answering } from '@gateway/messaging';
import { webhookOf } from '../harness/records.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

let gateway: GatewayUnderTest;
let account: Awaited<ReturnType<GatewayUnderTest['newAccount']>>;
/** Of the test environment. */
let webhook: Webhook;
/** What the webhooks service was asked last. */
let asked: unknown;
const delivery: Delivery = {
  ...{ id: newId('delivery'), webhookId: null, callbackUrl: 'https://shop.example/paid', event: 'deposit.paid' },
  ...{ dataId: newId('deposit'), status: 'FAILED', attempts: 1, latencyMs: 12, responseStatus: 500 },
  ...{ error: 'http_5xx', createdAt: 1_767_000_000, nextAttemptAt: null },
};

function owned<R extends { accountId?: string; environment?: string; id?: string; webhookId?: string }>(request: R): R {
  asked = request;
  const { accountId = webhook.accountId, environment = 'test', webhookId = request.id } = request;
  const isWebhooks = webhookId?.startsWith('whk_') ? webhookId === webhook.id : true;
  if (accountId !== account.id || environment !== 'test' || !isWebhooks) throw new NotFoundError('webhook');
  return request;
}

const owner = () => ({ environment: 'test' as const, accountId: account.id });

beforeAll(async () => {
  gateway = await startGateway([
    answering(getWebhook, async (request) => owned(request) && { webhook }),
    answering(listWebhooks, async (request) => owned(request) && { webhooks: [webhook], nextCursor: null }),
    answering(updateWebhook, async (request) => {
      const { status = 'enabled' } = owned(request);
      return { webhook: { ...webhook, status } };
    }),
    answering(recoverDeliveries, async (request) => owned(request) && { count: 7 }),
    answering(listDeliveries, async (request) => owned(request) && { deliveries: [delivery], nextCursor: null }),
    answering(getDelivery, async (request) => owned(request) && { delivery: detail() }),
    answering(findDeliveries, async (request) => {
      asked = request;
      return { deliveries: [{ ...delivery, ...owner() }], nextCursor: null };
    }),
    answering(getAccountDelivery, async (request) => owned(request) && { delivery: { ...detail(), ...owner() } }),
    answering(redeliverAccountDelivery, async (request) => {
      owned(request);
      return { before: delivery, delivery: { ...delivery, ...owner(), status: 'PENDING' as const } };
    }),
  ]);
  account = await gateway.newAccount();
  webhook = webhookOf({ ...owner(), apiVersion: '0.1', name: 'shop', url: 'https://shop.example/hook', events: [] });
});
afterAll(async () => gateway[Symbol.asyncDispose]());
beforeEach(() => {
  asked = undefined;
});

function detail() {
  return { ...delivery, requestBody: '{"id":"evt_1"}', attemptLog: [] };
}

const call = (method: string, path: string, body?: unknown) =>
  gateway.asOperator(method, `/ops/accounts/${account.id}${path}`, body === undefined ? {} : { body });
const ofWebhook = (path = '') => `/webhooks/${webhook.id}${path}`;
const lastAudit = async () => (await gateway.asOperator('GET', '/ops/audit?limit=1')).body.data[0];

describe('an operator', () => {
  test('reads the webhooks of an account, and the deliveries of each with what was sent', async () => {
    const list = await call('GET', '/webhooks?environment=test');
    expect(list.body.data).toMatchObject([{ id: webhook.id, object: 'webhook' }]);
    expect(list.text).not.toContain('secret');
    expect((await call('GET', ofWebhook())).body).toMatchObject({ id: webhook.id, environment: 'test' });
    expect((await call('GET', ofWebhook('/deliveries?status=FAILED'))).body.data).toMatchObject([{ id: delivery.id }]);
    expect(asked).toEqual({ ...owner(), webhookId: webhook.id, limit: 50, status: 'FAILED' });
    const { body } = await call('GET', ofWebhook(`/deliveries/${delivery.id}`));
    expect(body).toMatchObject({ id: delivery.id, request_body: '{"id":"evt_1"}', attempt_log: [] });
  });

  test.each([
    ['pause', 'webhook.pause', 'paused'],
    ['enable', 'webhook.enable', 'enabled'],
  ])('can %s a webhook, which leaves a trace', async (verb, action, status) => {
    expect(await call('POST', ofWebhook(`/${verb}`))).toMatchObject({ status: 200, body: { status } });
    expect(await lastAudit()).toMatchObject({ action, target: webhook.id, operator: 'ana', after: { status } });
  });

  test('has failed deliveries sent again, all of a window or one, which leaves a trace', async () => {
    const recovered = await call('POST', ofWebhook('/recover'), { since: 5, until: 9 });
    expect(recovered).toMatchObject({ status: 202, body: { count: 7 } });
    expect(await lastAudit()).toMatchObject({ action: 'webhook.recover', before: { since: 5, until: 9 } });
    for (const path of [ofWebhook(`/deliveries/${delivery.id}`), `/deliveries/${delivery.id}`]) {
      const { status, body } = await call('POST', `${path}/redeliver`);
      expect([status, body.status]).toEqual([202, 'PENDING']);
      const trace = { action: 'delivery.redeliver', target: delivery.id, before: { status: 'FAILED' } };
      expect(await lastAudit()).toMatchObject(trace);
    }
  });

  test('finds deliveries by record or account, those to callback URLs included', async () => {
    const { body } = await gateway.asOperator('GET', `/ops/deliveries?data_id=${delivery.dataId}&status=FAILED`);
    expect(body.data).toMatchObject([
      { id: delivery.id, account_id: account.id, webhook_id: null, callback_url: delivery.callbackUrl },
    ]);
    expect(asked).toEqual({ dataId: delivery.dataId, status: 'FAILED', limit: 50 });
    await gateway.asOperator('GET', `/ops/deliveries?account_id=${account.id}&environment=test`);
    expect(asked).toEqual({ ...owner(), limit: 50 });
    expect((await call('GET', `/deliveries/${delivery.id}`)).body).toMatchObject({ account_id: account.id });
    expect(asked).toEqual({ accountId: account.id, id: delivery.id });
  });

  test.each([
    ['/ops/deliveries', 'data_id'],
    ['/ops/deliveries?account_id=acc_1', 'account_id'],
    ['/ops/deliveries?data_id=dep_1&webhook=1', 'webhook'],
  ])('is refused %s, naming %s', async (path, member) => {
    const { status, body } = await gateway.asOperator('GET', path);
    expect([status, body.error.details[0]?.path, asked]).toEqual([400, member, undefined]);
  });

  test.each([
    ['GET', ''],
    ['POST', '/pause'],
    ['POST', '/enable'],
    ['GET', '/deliveries'],
    ['GET', `/deliveries/${delivery.id}`],
    ['POST', `/deliveries/${delivery.id}/redeliver`],
  ])('%s of a webhook%s that another account has is 404, and leaves no trace', async (method, path) => {
    const other = await gateway.newAccount();
    const trace = await lastAudit();
    const answer = await gateway.asOperator(method, `/ops/accounts/${other.id}/webhooks/${webhook.id}${path}`);
    expect(answer.status).toBe(404);
    expect(await lastAudit()).toEqual(trace);
  });

  test('gets 404 for the webhooks of an account that does not exist', async () => {
    const path = `/ops/accounts/${newId('account')}/webhooks?environment=live`;
    expect((await gateway.asOperator('GET', path)).status).toBe(404);
  });
});
