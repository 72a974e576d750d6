import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { eventually } from '@gateway/test-kit';
import { DescribedApi, type Operation } from './support/described-api.ts';
import { formWithFile } from './support/form-with-file.ts';
import { issueKey } from './support/issue-key.ts';
import { MerchantClient, type Answer } from './support/merchant-client.ts';
import { startWebhookReceiver, type WebhookReceiver } from './support/webhook-receiver.ts';

const universes = ['a test', 'a live', 'b test', 'b live'] as const;
type Universe = (typeof universes)[number];

/** One account in one environment, and the records it has. */
interface Tenant {
  readonly client: MerchantClient;
  /** By the prefix of their kind. */
  readonly ids: Readonly<Record<string, string>>;
  readonly externalIds: readonly string[];
}

let stack: Stack;
let receiver: WebhookReceiver;
let api: DescribedApi;
const tenants = new Map<Universe, Tenant>();
const stopping = new AsyncDisposableStack();

beforeAll(async () => {
  const home = stopping.use(temporaryHome());
  receiver = stopping.use(await startWebhookReceiver());
  stack = stopping.use(await startStack({ home: home.path, durable: false, quiet: true, layout: 'together' }));
  api = await DescribedApi.read(stack.baseUrl);
  for (const name of ['a', 'b']) {
    const { id } = await operate('/ops/accounts', { name, rate_limit: { per_second: 100_000, burst: 100_000 } });
    for (const environment of ['test', 'live'] as const) {
      const pair = await issueKey(operate, id, environment);
      tenants.set(`${name} ${environment}` as Universe, await settle(pair, `${name}-${environment}`));
    }
  }
});
afterAll(async () => stopping.disposeAsync());

async function operate(path: string, body: object, nth: 0 | 1 = 0): Promise<any> {
  const headers = { authorization: `Bearer ${stack.dev.ops_tokens[nth]}`, 'content-type': 'application/json' };
  const response = await fetch(`${stack.opsUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return await response.json();
}

/** Gives a tenant records; live ones are those that need no payer. */
async function settle(pair: { public_key: string; secret_key: string }, label: string): Promise<Tenant> {
  const client = new MerchantClient(stack.baseUrl, pair);
  const ids: Record<string, string> = {};
  const note = ({ body }: Answer) => {
    const { id } = body.payout ?? body.refund ?? body;
    if (typeof id !== 'string') throw new Error(`no record: ${JSON.stringify(body)}`);
    ids[id.slice(0, 3)] = id;
    return id;
  };
  const create = (amount_cents: number, external_id: string) =>
    client.post('/v1/deposits', { amount_cents, external_id, metadata: { mark: label } });
  note(await client.post('/v1/webhooks', { name: label, url: receiver.url }));
  const deposit = note(await create(9_000, `${label}-deposit`));
  if (label.endsWith('test')) {
    await client.post(`/v1/test/deposits/${deposit}/pay`);
    note(await client.post(`/v1/test/deposits/${deposit}/dispute`, { amount_cents: 500 }));
    note(await client.post(`/v1/deposits/${deposit}/refunds`, { amount_cents: 100, external_id: `${label}-refund` }));
    const recipient = { name: 'Maria da Silva', document: '52998224725' };
    const key = { pix_key: 'hold@sandbox.test', pix_key_type: 'email' };
    note(await client.post('/v1/payouts', { amount_cents: 50, external_id: `${label}-payout`, recipient, ...key }));
    ids['led'] = (await client.get('/v1/transactions')).body.data[0].id;
  }
  const { bytes, headers } = await formWithFile();
  const credentials = { 'x-api-key': pair.public_key, 'x-api-secret': pair.secret_key };
  const stored = await fetch(`${stack.baseUrl}/v1/files`, {
    ...{ method: 'POST', headers: { ...credentials, ...headers }, body: Buffer.from(bytes) },
  });
  note({ body: await stored.json() } as Answer);
  ids['evt'] = await eventually(async () => {
    const { body } = await client.get(`/v1/events?data_id=${deposit}`);
    expect(body.data).not.toEqual([]);
    return body.data[0].id;
  });
  await client.get(`/v1/deposits/${nobodys('dep_')}`);
  ids['req'] = await eventually(async () => {
    const { body } = await client.get('/v1/requests?code=NOT_FOUND');
    expect(body.data).not.toEqual([]);
    return body.data[0].id;
  });
  return { client, ids, externalIds: ['deposit', 'refund', 'payout'].map((kind) => `${label}-${kind}`) };
}

const kindOf: Readonly<Record<string, string>> = {
  deposits: 'dep',
  payouts: 'pyt',
  disputes: 'med',
  webhooks: 'whk',
  transactions: 'led',
  events: 'evt',
  files: 'fil',
  requests: 'req',
};
const bodies: Readonly<Record<string, object>> = {
  createRefund: { external_id: 'stolen' },
  submitDisputeEvidence: { text: 'not mine' },
  updateWebhook: { status: 'disabled' },
  recoverWebhookDeliveries: { since: 0 },
  replayWebhookEvents: { since: 0 },
  deliverEvent: { webhook_id: 'whk_01k9zzzzzzzzzzzzzzzzzzzzzz' },
  simulateDisputeResult: { result: 'lost' },
  simulatePayoutResult: { result: 'failed' },
  simulateWebhookFailure: { result: 'disabled' },
};

/** Everything a tenant can see of itself, but for what time alone changes. */
async function snapshot({ client }: Tenant): Promise<string> {
  const paths = ['deposits', 'payouts', 'disputes', 'webhooks', 'transactions'].map((list) => `/v1/${list}?limit=200`);
  const answers = await Promise.all(
    [...paths, '/v1/balance', '/v1/ip-allowlist', '/v1/account'].map((path) => client.get(path)),
  );
  return JSON.stringify(answers.map(({ status, body }) => [status, body])).replaceAll(/token=[^"]+/g, '');
}

/** The same answer but for what names the request. */
const shape = ({ status, text }: Answer) => `${status} ${text.replace(/"request_id":"[^"]+"/, '')}`;

const withId = ({ path }: Operation, id: string) =>
  path.replace(/\{id\}/, id).replace(/\{\w+\}/, 'dlv_01k9zzzzzzzzzzzzzzzzzzzzzz');
const nobodys = (id: string) => `${id.slice(0, 4)}01k9zzzzzzzzzzzzzzzzzzzzzz`;

/** Everything the stranger can ask about a record of the owner is answered as if the record did not exist. */
async function expectNothingSeen(stranger: Tenant, owner: Tenant, operation: Operation): Promise<void> {
  const [, , first = '', second = ''] = operation.path.split('/');
  const id = owner.ids[kindOf[first === 'test' ? second : first] ?? ''];
  if (id === undefined) return;
  const body = bodies[operation.id];
  if (operation.path.includes('{id}')) {
    const foreign = await stranger.client.call(operation.method, withId(operation, id), body);
    const unknown = await stranger.client.call(operation.method, withId(operation, nobodys(id)), body);
    expect(shape(foreign), operation.id).toBe(shape(unknown));
    expect([403, 404], operation.id).toContain(foreign.status);
    return;
  }
  if (operation.method !== 'GET') return;
  for (const { name } of operation.parameters) {
    if (name === 'cursor' || name === 'after') {
      const foreign = await stranger.client.get(`${operation.path}?${name}=${id}`);
      expect(shape(foreign)).toBe(shape(await stranger.client.get(`${operation.path}?${name}=${nobodys(id)}`)));
      expect(foreign.status).toBe(400);
    }
    const values = { external_id: owner.externalIds, ref_id: Object.values(owner.ids), deposit_id: [owner.ids['dep']] };
    for (const value of values[name as keyof typeof values] ?? []) {
      expect((await stranger.client.get(`${operation.path}?${name}=${value}`)).body.data, `${name}=${value}`).toEqual(
        [],
      );
    }
  }
  // It has what the stranger asked for, and so the ids of others that it tried.
  if (operation.id === 'listRequests') {
    const asked = await stranger.client.get('/v1/requests?limit=200');
    return expect(asked.body.data.map((each: { id: string }) => each.id)).not.toContain(owner.ids['req']);
  }
  const list = await stranger.client.get(`${operation.path}${operation.id === 'streamEvents' ? '?follow=false' : ''}`);
  for (const foreign of [...Object.values(owner.ids), ...owner.externalIds]) expect(list.text).not.toContain(foreign);
}

test('no call of one account and environment sees, changes or infers a record of another', async () => {
  const before = new Map<Universe, string>();
  for (const [name, tenant] of tenants) before.set(name, await snapshot(tenant));
  const pairs = fc.tuple(fc.constantFrom(...universes), fc.constantFrom(...universes)).filter(([x, y]) => x !== y);
  await fc.assert(
    fc.asyncProperty(pairs, fc.constantFrom(...api.operations), async ([stranger, owner], operation) => {
      await expectNothingSeen(tenants.get(stranger)!, tenants.get(owner)!, operation);
    }),
    { numRuns: 400 },
  );
  for (const [name, tenant] of tenants) expect(await snapshot(tenant), name).toBe(before.get(name));
});

test('the same external_id is free for everybody, and each gets a record of their own', async () => {
  const made = await Promise.all(
    [...tenants.values()].map(({ client }) => client.post('/v1/deposits', { amount_cents: 77, external_id: 'shared' })),
  );
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect(new Set(made.map(({ body }) => body.id)).size).toBe(4);
  for (const [nth, { client }] of [...tenants.values()].entries()) {
    const found = await client.get('/v1/deposits?external_id=shared');
    expect(found.body.data.map(({ id }: { id: string }) => id)).toEqual([made[nth]!.body.id]);
  }
});
