import { afterAll, beforeAll, expect, test } from 'vitest';
import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import type { RequestOf } from '@gateway/contracts/messages';
import {
  deleteWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  registerWebhook,
  type Webhook,
} from '@gateway/contracts/webhooks';
import { newId } from '@gateway/money';
import { answering } from '@gateway/messaging';
import { webhookOf } from '../harness/records.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const made: Webhook[] = [];
let listed: RequestOf<typeof listDeliveries> | undefined;
let gateway: GatewayUnderTest;
let account: Awaited<ReturnType<GatewayUnderTest['newAccount']>>;

const find = ({ id, environment }: { id: string; environment: string }): Webhook => {
  const webhook = made.find((each) => each.id === id && each.environment === environment);
  if (!webhook) throw new NotFoundError('webhook');
  return webhook;
};

beforeAll(async () => {
  gateway = await startGateway([
    answering(registerWebhook, async (request) => {
      if (request.name === 'one too many') throw new DomainError('LIMIT_REACHED', 'at most 20 webhooks');
      const webhook = webhookOf(request);
      made.push(webhook);
      return { webhook, secret: 'whsec_1' };
    }),
    answering(getWebhook, async (request) => ({ webhook: find(request) })),
    answering(listWebhooks, async () => ({ webhooks: made, nextCursor: null })),
    answering(deleteWebhook, async (request) => {
      made.splice(made.indexOf(find(request)), 1);
      return {};
    }),
    answering(listDeliveries, async (request) => {
      listed = request;
      const { webhookId } = request;
      const delivery = { id: newId('delivery'), event: 'deposit.paid', dataId: 'dep_1', status: 'FAILED' } as const;
      const last = {
        webhookId,
        callbackUrl: null,
        attempts: 3,
        latencyMs: 12,
        responseStatus: 500,
        error: null,
        createdAt: 1,
        nextAttemptAt: null,
      };
      return { deliveries: [{ ...delivery, ...last }], nextCursor: null };
    }),
  ]);
  account = await gateway.newAccount();
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const call = (method: string, path: string, body?: unknown) =>
  gateway.asMerchant(account.test, method, `/v1/webhooks${path}`, body === undefined ? {} : { body });
const valid = { name: 'shop', url: 'https://shop.example/hook' };

test('a webhook is registered with its secret, and shown without it ever after', async () => {
  const { status, body } = await call('POST', '', { ...valid, events: ['deposit.paid', 'deposit.paid'] });
  expect(status).toBe(201);
  const { secret, ...shown } = body;
  expect(secret).toBe('whsec_1');
  expect(shown).toMatchObject({ ...valid, object: 'webhook', events: ['deposit.paid'], status: 'enabled' });
  expect(shown).toMatchObject({ api_version: '0.1', environment: 'test' });
  expect((await call('GET', `/${body.id}`)).body).toEqual(shown);
  expect((await call('GET', '')).body).toEqual({ data: [shown], next_cursor: null });
});

test.each<[string, object, string]>([
  ['no name', { name: undefined }, 'name'],
  ['a name of 65 characters', { name: 'x'.repeat(65) }, 'name'],
  ['no url', { url: undefined }, 'url'],
  ['an unknown event', { events: ['deposit.paid', 'deposit.lost'] }, 'events.1'],
  ['text as events', { events: 'deposit.paid' }, 'events'],
])('a webhook with %s is refused by name', async (_case, members, path) => {
  const { status, body } = await call('POST', '', { ...valid, ...members });
  expect([status, body.error.details[0]?.path]).toEqual([400, path]);
});

test('one webhook too many is 422', async () => {
  const { status, body } = await call('POST', '', { ...valid, name: 'one too many' });
  expect([status, body.error.code]).toEqual([422, 'LIMIT_REACHED']);
});

test('a removed webhook is gone', async () => {
  const { body } = await call('POST', '', valid);
  const removed = await call('DELETE', `/${body.id}`);
  expect([removed.status, removed.text]).toEqual([204, '']);
  expect((await call('GET', `/${body.id}`)).status).toBe(404);
  expect((await call('DELETE', `/${body.id}`)).status).toBe(404);
});

test('deliveries are listed with every filter', async () => {
  const id = newId('webhook');
  const { body } = await call('GET', `/${id}/deliveries?status=FAILED&event=deposit.paid&data_id=dep_1&limit=7`);
  expect(body.data[0]).toMatchObject({
    object: 'webhook_delivery',
    data_id: 'dep_1',
    response_status: 500,
    attempts: 3,
  });
  const filters = { status: 'FAILED', event: 'deposit.paid', dataId: 'dep_1', limit: 7 };
  expect(listed).toEqual({ environment: 'test', accountId: account.id, webhookId: id, ...filters });
});
