import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import {
  findDeliveries,
  getAccountDelivery,
  getDelivery,
  recoverDeliveries,
  redeliver,
  redeliverAccountDelivery,
  rotateCallbackSecret,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  type Delivery,
  type DeliveryAttempt,
} from '@gateway/contracts/webhooks';
import { newId } from '@gateway/money';
import { answering } from '@gateway/messaging';
import { webhookOf } from '../harness/records.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const webhookId = newId('webhook');
const unknownId = newId('webhook');
const delivery: Delivery = {
  ...{
    id: newId('delivery'),
    webhookId,
    callbackUrl: null,
    event: 'deposit.paid',
    dataId: 'dep_1',
    status: 'FAILED',
    attempts: 1,
  },
  ...{ latencyMs: 12, responseStatus: 500, error: 'http_status', createdAt: 1_767_000_000, nextAttemptAt: null },
};
const callback: Delivery = { ...delivery, webhookId: null, callbackUrl: 'https://shop.example/paid?order=1' };
const attempt: DeliveryAttempt = {
  ...{ number: 1, trigger: 'first', startedAt: '2026-01-02T03:04:05.678Z', url: 'https://shop.example/hook' },
  ...{ peerAddress: '203.0.113.7', reusedConnection: false, dnsMs: 1, connectMs: 2, tlsMs: 3, firstByteMs: 11 },
  ...{ latencyMs: 12, responseStatus: 500, error: 'http_status', requestHeaders: { 'x-gateway-attempt': '1' } },
  ...{ responseHeaders: { server: 'x' }, responseBody: 'no', responseBodyBase64: false, responseTruncated: false },
};

/** What the webhooks service was asked last. */
let asked: unknown;
let gateway: GatewayUnderTest;
let account: Awaited<ReturnType<GatewayUnderTest['newAccount']>>;

function heard<R extends object>(request: R): R {
  asked = request;
  const { id, webhookId: endpointId = id } = request as { id?: string; webhookId?: string };
  if (endpointId === unknownId) throw new NotFoundError('webhook');
  return request;
}

beforeAll(async () => {
  gateway = await startGateway([
    answering(updateWebhook, async (request) => {
      const { environment, accountId, name = 'shop', url = 'https://shop.example/hook', events = [] } = heard(request);
      return { webhook: webhookOf({ environment, accountId, apiVersion: '0.1', name, url, events }) };
    }),
    answering(rotateWebhookSecret, async (request) => ({ secret: `whsec_${heard(request).overlapSec}` })),
    answering(rotateCallbackSecret, async (request) => ({ secret: `whsec_${heard(request).environment}` })),
    answering(getDelivery, async (request) => {
      heard(request);
      return { delivery: { ...delivery, requestBody: '{"id":"evt_1"}', attemptLog: [attempt] } };
    }),
    answering(redeliver, async (request) => {
      if (heard(request).environment === 'live') throw new DomainError('INVALID_STATE', 'the webhook is disabled');
      return { delivery: { ...delivery, status: 'PENDING' as const } };
    }),
    answering(findDeliveries, async (request) => {
      heard(request);
      return { deliveries: [{ ...callback, ...own() }], nextCursor: null };
    }),
    answering(getAccountDelivery, async (request) => {
      heard(request);
      return { delivery: { ...callback, ...own(), requestBody: '{"id":"evt_1"}', attemptLog: [attempt] } };
    }),
    answering(redeliverAccountDelivery, async (request) => {
      heard(request);
      return { before: callback, delivery: { ...callback, ...own(), status: 'PENDING' as const } };
    }),
    answering(recoverDeliveries, async (request) => {
      heard(request);
      return { count: 7 };
    }),
    answering(testWebhook, async (request) => {
      heard(request);
      return { delivered: false, responseStatus: 404, latencyMs: 31, error: 'http_status' };
    }),
  ]);
  account = await gateway.newAccount();
});
afterAll(async () => gateway[Symbol.asyncDispose]());
beforeEach(() => {
  asked = undefined;
});

const call = (method: string, path: string, body?: unknown, key = account.test) =>
  gateway.asMerchant(key, method, path, body === undefined ? {} : { body });
const own = () => ({ environment: 'test' as const, accountId: account.id });
const deliveryPath = `/v1/webhooks/${webhookId}/deliveries/${delivery.id}`;

test('a webhook is changed in what is named, and shown without its secret', async () => {
  const patch = { name: 'new', events: ['payout.paid', 'payout.paid'], status: 'paused' };
  const { status, body } = await call('PATCH', `/v1/webhooks/${webhookId}`, patch);
  expect([status, body]).toEqual([200, expect.objectContaining({ object: 'webhook', name: 'new' })]);
  expect(body).not.toHaveProperty('secret');
  expect(asked).toEqual({ ...own(), id: webhookId, name: 'new', events: ['payout.paid'], status: 'paused' });
});

test.each<[object, string]>([
  [{ name: '' }, 'name'],
  [{ url: 7 }, 'url'],
  [{ events: ['deposit.lost'] }, 'events.0'],
  [{ status: 'gone' }, 'status'],
])('a change to %j is refused by name', async (patch, path) => {
  const { status, body } = await call('PATCH', `/v1/webhooks/${webhookId}`, patch);
  expect([status, body.error.details[0]?.path, asked]).toEqual([400, path, undefined]);
});

test.each([
  [undefined, 86_400],
  [{}, 86_400],
  [{ overlap_sec: null }, 86_400],
  [{ overlap_sec: 0 }, 0],
  [{ overlap_sec: 604_800 }, 604_800],
])('a secret is rotated with body %j and an overlap of %i seconds', async (body, overlapSec) => {
  const answer = await call('POST', `/v1/webhooks/${webhookId}/rotate-secret`, body);
  expect([answer.status, answer.body]).toEqual([200, { secret: `whsec_${overlapSec}` }]);
  expect(asked).toEqual({ ...own(), id: webhookId, overlapSec });
});

test.each([-1, 604_801, 1.5, '60'])('an overlap of %j is refused by name', async (overlap) => {
  const { status, body } = await call('POST', `/v1/webhooks/${webhookId}/rotate-secret`, { overlap_sec: overlap });
  expect([status, body.error.details[0]?.path]).toEqual([400, 'overlap_sec']);
});

test.each(['test', 'live'] as const)('the callback secret of the %s environment is its own', async (environment) => {
  const { status, body } = await call('POST', '/v1/account/callback-secret', undefined, account[environment]);
  expect([status, body]).toEqual([201, { secret: `whsec_${environment}` }]);
});

test('a delivery is shown with its body and every attempt', async () => {
  const { status, body } = await call('GET', deliveryPath);
  expect(status).toBe(200);
  expect(body).toMatchObject({ object: 'webhook_delivery', id: delivery.id, request_body: '{"id":"evt_1"}' });
  expect(body).toHaveProperty('attempt_log.0.response_body', 'no');
  expect(body).toHaveProperty('attempt_log.0.started_at', attempt.startedAt);
  expect(asked).toEqual({ ...own(), webhookId, id: delivery.id });
});

test('a delivery is sent again, unless its state forbids it', async () => {
  const { status, body } = await call('POST', `${deliveryPath}/redeliver`);
  expect([status, body.id, body.status]).toEqual([202, delivery.id, 'PENDING']);
  const refused = await call('POST', `${deliveryPath}/redeliver`, undefined, account.live);
  expect([refused.status, refused.body.error.code]).toEqual([409, 'INVALID_STATE']);
});

test('the deliveries of a record are found at its callback URL too, read and sent again', async () => {
  const { body: list } = await call('GET', '/v1/deliveries?data_id=dep_1&status=FAILED');
  expect(list.data).toMatchObject([{ id: delivery.id, webhook_id: null, callback_url: callback.callbackUrl }]);
  expect(asked).toEqual({ ...own(), dataId: 'dep_1', status: 'FAILED', limit: 50 });
  const { body: shown } = await call('GET', `/v1/deliveries/${delivery.id}`);
  expect(shown).toMatchObject({ object: 'webhook_delivery', request_body: '{"id":"evt_1"}' });
  const again = await call('POST', `/v1/deliveries/${delivery.id}/redeliver`);
  expect([again.status, again.body.status]).toEqual([202, 'PENDING']);
  expect(asked).toEqual({ ...own(), id: delivery.id });
});

test('the deliveries of no record in particular are refused by name', async () => {
  const { status, body } = await call('GET', '/v1/deliveries');
  expect([status, body.error.details[0]?.path, asked]).toEqual([400, 'data_id', undefined]);
});

test('what failed in a window is sent again', async () => {
  const recover = (body: unknown) => call('POST', `/v1/webhooks/${webhookId}/recover`, body);
  expect(await recover({ since: 5, until: 9 })).toMatchObject({ status: 202, body: { count: 7 } });
  expect(asked).toEqual({ ...own(), webhookId, since: 5, until: 9 });
  await recover({ since: 5, until: null });
  expect(asked).toEqual({ ...own(), webhookId, since: 5 });
});

test.each<[object, string]>([
  [{}, 'since'],
  [{ since: -1 }, 'since'],
  [{ since: '2026-01-01' }, 'since'],
  [{ since: 9, until: 5 }, 'until'],
])('a window of %j is refused by name', async (window, path) => {
  const { status, body } = await call('POST', `/v1/webhooks/${webhookId}/recover`, window);
  expect([status, body.error.details[0]?.path, asked]).toEqual([400, path, undefined]);
});

test('a sample that is not received is an answer, not an error', async () => {
  const { status, body } = await call('POST', `/v1/webhooks/${webhookId}/test`);
  expect([status, body]).toEqual([
    200,
    { delivered: false, response_status: 404, latency_ms: 31, error: 'http_status' },
  ]);
});

test.each([
  ['PATCH', '', {}],
  ['POST', '/rotate-secret', {}],
  ['POST', '/recover', { since: 1 }],
  ['POST', '/test', undefined],
  ['GET', `/deliveries/${delivery.id}`, undefined],
  ['POST', `/deliveries/${delivery.id}/redeliver`, undefined],
])('%s on a webhook%s of nobody is 404', async (method, path, body) => {
  expect((await call(method, `/v1/webhooks/${unknownId}${path}`, body)).status).toBe(404);
  expect((await call(method, `/v1/webhooks/nonsense${path}`, body)).status).toBe(404);
});

test('a delivery that cannot exist is 404 without asking for it', async () => {
  expect((await call('GET', `/v1/webhooks/${webhookId}/deliveries/nonsense`)).status).toBe(404);
  expect(asked).toBeUndefined();
});
