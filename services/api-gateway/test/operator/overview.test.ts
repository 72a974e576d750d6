import { afterAll, beforeAll, expect, test } from 'vitest';
import { DomainError } from '@gateway/contracts/errors';
import {
  attentionKindSchema,
  attentionRpc,
  type ServiceName,
  serviceNames,
  type Waiting,
} from '@gateway/contracts/messages';
import { answering } from '@gateway/messaging';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const kinds = attentionKindSchema.options;
const now = Math.floor(Date.now() / 1_000);

/** What waits in each service. */
let waiting: Partial<Record<ServiceName, Waiting[]>> = {};
let gateway: GatewayUnderTest;
beforeAll(async () => {
  const others = serviceNames.filter((name) => name !== 'api-gateway');
  gateway = await startGateway(
    others.map((name) =>
      answering(attentionRpc(name), async () => {
        if (name === 'compat') throw new DomainError('SERVICE_UNAVAILABLE', 'away');
        return { waiting: waiting[name] ?? [] };
      }),
    ),
  );
});
afterAll(() => gateway[Symbol.asyncDispose]());

interface Overview {
  readonly attention: readonly {
    kind: string;
    environment: string | null;
    count: number;
    oldest_at: number;
    list: string;
  }[];
  readonly incomplete: readonly string[];
}

async function overview(query = ''): Promise<Overview> {
  const { status, body } = await gateway.asOperator('GET', `/ops/overview${query}`);
  expect(status).toBe(200);
  return body as unknown as Overview;
}

test('what waits in any service is counted by kind and environment, what waits longest first', async () => {
  waiting = {
    payouts: [
      { kind: 'payout_stuck', environment: 'live', count: 2, oldestAt: now - 600 },
      { kind: 'payout_stuck', environment: 'test', count: 1, oldestAt: now - 10 },
      { kind: 'dead_letter', environment: null, count: 1, oldestAt: now - 900 },
    ],
    deposits: [
      { kind: 'dispute_due', environment: 'live', count: 3, oldestAt: now - 300 },
      { kind: 'dead_letter', environment: null, count: 4, oldestAt: now - 100 },
    ],
  };
  const { attention } = await overview();
  expect(attention.map(({ kind, environment, count, oldest_at: at }) => [kind, environment, count, at])).toEqual([
    ['dead_letter', null, 5, now - 900],
    ['payout_stuck', 'live', 2, now - 600],
    ['dispute_due', 'live', 3, now - 300],
    ['payout_stuck', 'test', 1, now - 10],
  ]);
});

test('each kind names a list that this API answers', async () => {
  waiting = { payouts: kinds.map((kind) => ({ kind, environment: 'live', count: 1, oldestAt: now })) };
  const { attention } = await overview();
  expect(attention.map(({ kind }) => kind)).toEqual(kinds);
  const gone = await Promise.all(attention.map(async ({ list }) => (await gateway.asOperator('GET', list)).body.error));
  // Without the services behind them the lists are not there; a list or a filter that does not exist would be refused.
  expect(
    gone.map((error) => error?.code).filter((code) => code !== 'SERVICE_UNAVAILABLE' && code !== undefined),
  ).toEqual([]);
});

test('a service that does not answer is named, and what the others know is shown', async () => {
  waiting = { reconciler: [{ kind: 'exception', environment: 'live', count: 7, oldestAt: now }] };
  expect(await overview()).toMatchObject({ incomplete: ['compat'], attention: [{ kind: 'exception', count: 7 }] });
});

test('an environment leaves out the other one, and keeps what belongs to neither', async () => {
  waiting = {
    payouts: [
      { kind: 'payout_stuck', environment: 'live', count: 2, oldestAt: now - 2 },
      { kind: 'payout_stuck', environment: 'test', count: 1, oldestAt: now - 1 },
      { kind: 'dead_letter', environment: null, count: 1, oldestAt: now },
    ],
  };
  const { attention } = await overview('?environment=test');
  expect(attention.map(({ kind, count }) => [kind, count])).toEqual([
    ['payout_stuck', 1],
    ['dead_letter', 1],
  ]);
});

test('what one operator has proposed is counted, and no more once another has decided', async () => {
  waiting = {};
  const { id } = await gateway.newAccount();
  const before = await overview();
  const freeze = { level: 'payouts', reason: 'asked for' };
  expect((await gateway.asOperator('POST', `/ops/accounts/${id}/freeze`, { body: freeze })).status).toBe(200);
  const { body } = await gateway.asOperator('POST', `/ops/accounts/${id}/unfreeze`, { body: { reason: 'done' } });
  const counted = (shown: Overview) => shown.attention.find(({ kind }) => kind === 'approval')?.count ?? 0;
  expect(counted(await overview()) - counted(before)).toBe(1);
  await gateway.asOperator('POST', `/ops/approvals/${body.approval.id}/withdraw`);
  expect(await overview()).toMatchObject({ attention: before.attention });
});

test.each([
  ['?environment=prod', 'environment'],
  ['?env=live', 'env'],
])('refuses %s, naming the member', async (query, member) => {
  const { status, body } = await gateway.asOperator('GET', `/ops/overview${query}`);
  expect(status).toBe(400);
  expect(body.error.details.map(({ path }) => path)).toEqual([member]);
});
