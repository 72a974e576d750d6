import { afterAll, beforeAll, expect, test } from 'vitest';
import { listProviders, type Provider } from '@gateway/contracts/deposits';
import { DomainError } from '@gateway/contracts/errors';
import { type LedgerWriter, listLedgerWriters, listReconciliations, listVenues } from '@gateway/contracts/ledger';
import {
  attentionKindSchema,
  attentionRpc,
  messageLagRpc,
  type ServiceName,
  serviceNames,
  type Waiting,
} from '@gateway/contracts/messages';
import { getTotals } from '@gateway/contracts/webhooks';
import { answering } from '@gateway/messaging';
import { newId } from '@gateway/money';
import { operatorTokens, startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const kinds = attentionKindSchema.options;
const now = Math.floor(Date.now() / 1_000);

const support = 'token-of-support-0123456789';
const operators = [
  ...Object.entries(operatorTokens).map(([name, token]) => ({ name, token })),
  { name: 'support', token: support, roles: ['support'] },
];
const writers: LedgerWriter[] = [
  { environment: 'live', shard: 0, writer: 'ledger-0:7', since: now - 60, standbys: 1, waiting: 0 },
  { environment: 'test', shard: 0, writer: null, since: null, standbys: 0, waiting: null },
];
const provider = (environment: Provider['environment'], id: string): Provider => ({
  ...{ environment, id, enabled: true, weight: 1, healthy: true, paymentMethods: ['PIX'] },
  ...{ certificateEndsAt: null, balances: [] },
});

const run = (finishedAt: number) => ({
  ...{ id: newId('reconciliation'), status: 'OK' as const, checks: [], startedAt: finishedAt - 1, finishedAt },
  signedOff: null,
});

/** What waits in each service. */
let waiting: Partial<Record<ServiceName, Waiting[]>> = {};
/** The totals that were asked for. */
const asked: { environment: string; from: number; to: number; by: string }[] = [];
let gateway: GatewayUnderTest;
beforeAll(async () => {
  const others = serviceNames.filter((name) => name !== 'api-gateway');
  gateway = await startGateway(
    [
      ...others.map((name) =>
        answering(attentionRpc(name), async () => {
          if (name === 'compat') throw new DomainError('SERVICE_UNAVAILABLE', 'away');
          return { waiting: waiting[name] ?? [] };
        }),
      ),
      ...others.map((name) =>
        answering(messageLagRpc(name), async () => {
          if (name === 'compat') throw new DomainError('SERVICE_UNAVAILABLE', 'away');
          const read = { stream: 'EVENTS_DEPOSITS', consumer: 'webhooks-deposits', waiting: 3 };
          return { unpublished: 2, consumers: name === 'webhooks' ? [read] : [] };
        }),
      ),
      answering(listProviders, async () => ({ providers: [provider('live', 'efi'), provider('test', 'sandbox')] })),
      answering(listVenues, async () => ({ venues: [] })),
      answering(listReconciliations, async ({ limit }) => ({
        reconciliations: [run(now), run(now - 600)].slice(0, limit),
        nextCursor: null,
      })),
      answering(listLedgerWriters, async () => ({ writers })),
      answering(getTotals, async (period) => {
        asked.push(period);
        const total = { event: 'deposit.paid', currency: 'BRL', at: now - 3_600, count: 4, amount: 40_000 } as const;
        return { totals: [{ ...total, provider: null }], asOf: now };
      }),
    ],
    { OPS_OPERATORS: JSON.stringify(operators) },
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
  readonly totals: { readonly data: readonly { count: number; amount_cents: number }[] } | null;
  readonly providers: readonly { id: string }[] | null;
  readonly last_reconciliation: { finished_at: number } | null;
  readonly messages: readonly { service: string; unpublished: number; consumers: readonly object[] }[] | null;
  readonly ledger_writers: readonly object[] | null;
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

test('what was paid of late, the providers, how far messages are behind and who writes the balances is beside it', async () => {
  asked.length = 0;
  const { totals, providers, last_reconciliation: last, messages, ledger_writers: shown } = await overview();
  expect(last).toMatchObject({ status: 'OK', finished_at: now });
  expect(totals?.data).toMatchObject([{ object: 'total', count: 4, amount_cents: 40_000 }]);
  expect(asked).toMatchObject([{ environment: 'live', by: 'hour' }]);
  expect(asked.map(({ from, to }) => to - from)).toEqual([86_400]);
  expect(providers?.map(({ id }) => id)).toEqual(['efi', 'sandbox']);
  const read = { consumer: 'webhooks-deposits', stream: 'EVENTS_DEPOSITS', waiting: 3 };
  expect(messages?.find(({ service }) => service === 'webhooks')).toMatchObject({ unpublished: 2, consumers: [read] });
  // The gateway's own are among them, and those of a service that is away are not.
  expect(messages?.map(({ service }) => service)).toEqual(serviceNames.filter((name) => name !== 'compat'));
  expect(shown).toMatchObject([
    { environment: 'live', writer: 'ledger-0:7', since: now - 60, standbys: 1, waiting: 0 },
    { environment: 'test', writer: null, since: null, waiting: null },
  ]);
});

test('an environment leaves out the providers, the writers and the totals of the other one', async () => {
  asked.length = 0;
  const { providers, ledger_writers: shown } = await overview('?environment=test');
  expect(providers?.map(({ id }) => id)).toEqual(['sandbox']);
  expect(shown).toMatchObject([{ environment: 'test' }]);
  expect(asked).toMatchObject([{ environment: 'test' }]);
});

test('an operator who may not see how the gateway operates reads the rest', async () => {
  const { status, body } = await gateway.asOperator('GET', '/ops/overview', {
    headers: { authorization: `Bearer ${support}` },
  });
  expect(status).toBe(200);
  const hidden = { providers: null, last_reconciliation: null, messages: null, ledger_writers: null };
  expect(body).toMatchObject({ ...hidden, totals: { data: [{ count: 4 }] } });
});

test.each([
  ['?environment=prod', 'environment'],
  ['?env=live', 'env'],
])('refuses %s, naming the member', async (query, member) => {
  const { status, body } = await gateway.asOperator('GET', `/ops/overview${query}`);
  expect(status).toBe(400);
  expect(body.error.details.map(({ path }) => path)).toEqual([member]);
});
