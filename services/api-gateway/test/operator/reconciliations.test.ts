import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareProviderBalances } from '@gateway/contracts/deposits';
import { NotFoundError, ValidationError } from '@gateway/contracts/errors';
import {
  getReconciliation,
  listReconciliations,
  runReconciliation,
  type Reconciliation,
} from '@gateway/contracts/ledger';
import { type ExplainedShare, getExplained } from '@gateway/contracts/reconciler';
import { newId } from '@gateway/money';
import { answering } from '@gateway/messaging';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const made: Reconciliation[] = [];
const asked: object[] = [];
const explained: object[] = [];
let shares: ExplainedShare[] = [];
let compared = 0;
let gateway: GatewayUnderTest;

beforeAll(async () => {
  gateway = await startGateway([
    answering(compareProviderBalances, async () => ({ balances: [], compared: ++compared })),
    answering(runReconciliation, async () => {
      const check = { name: 'chain_intact', environment: 'live', status: 'OK', examined: 5, findings: [] } as const;
      const times = { startedAt: 1_767_000_000, finishedAt: 1_767_000_002, signedOff: null };
      made.unshift({ id: newId('reconciliation'), status: 'OK', checks: [{ ...check, findings: [] }], ...times });
      return made[0]!;
    }),
    answering(getExplained, async (request) => {
      explained.push(request);
      return { accounts: shares };
    }),
    answering(getReconciliation, async ({ id }) => {
      const reconciliation = made.find((each) => each.id === id);
      if (!reconciliation) throw new NotFoundError('reconciliation');
      return { reconciliation };
    }),
    answering(listReconciliations, async ({ limit, cursor, ...filters }) => {
      asked.push(filters);
      const start = cursor === undefined ? 0 : made.findIndex(({ id }) => id === cursor) + 1;
      if (cursor !== undefined && start === 0) throw new ValidationError([{ path: 'cursor', message: 'is unknown' }]);
      const reconciliations = made.slice(start, start + limit);
      const more = start + limit < made.length;
      return { reconciliations, nextCursor: more ? (reconciliations.at(-1)?.id ?? null) : null };
    }),
  ]);
});
afterAll(async () => gateway[Symbol.asyncDispose]());

test('a reconciliation is run on demand, leaves a trace, and is listed newest first', async () => {
  const first = await gateway.asOperator('POST', '/ops/reconciliations');
  const second = await gateway.asOperator('POST', '/ops/reconciliations');
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(compared).toBe(2);
  expect(second.body).toEqual({
    ...{ id: second.body.id, object: 'reconciliation', status: 'OK' },
    checks: [{ name: 'chain_intact', environment: 'live', status: 'OK', examined: 5, findings: [] }],
    ...{ started_at: 1_767_000_000, finished_at: 1_767_000_002, signed_off: null },
  });
  const newest = await gateway.asOperator('GET', '/ops/reconciliations?limit=1');
  expect(newest.body).toEqual({ data: [second.body], next_cursor: second.body.id });
  const rest = await gateway.asOperator('GET', `/ops/reconciliations?cursor=${newest.body.next_cursor}`);
  expect(rest.body).toEqual({ data: [first.body], next_cursor: null });
  expect((await gateway.asOperator('GET', `/ops/reconciliations/${first.body.id}`)).body).toEqual(first.body);
  for (const id of [newId('reconciliation'), 'nonsense']) {
    expect((await gateway.asOperator('GET', `/ops/reconciliations/${id}`)).status).toBe(404);
  }
  const { body: trail } = await gateway.asOperator('GET', `/ops/audit?target=${first.body.id}`);
  expect(trail.data).toMatchObject([{ action: 'reconciliation.run', operator: 'ana', after: first.body }]);
});

test('the ledger is asked for those of a result and a time', async () => {
  const answer = await gateway.asOperator(
    'GET',
    '/ops/reconciliations?status=DISCREPANCY&from=2025-12-29T09:20:00Z&to=1767000002',
  );
  expect([answer.status, asked.at(-1)]).toEqual([
    200,
    { status: 'DISCREPANCY', from: 1_767_000_000, to: 1_767_000_002 },
  ]);
});

test('a cursor the ledger does not know is refused by name', async () => {
  const answer = await gateway.asOperator('GET', `/ops/reconciliations?cursor=${newId('reconciliation')}`);
  expect([answer.status, answer.body.error.details[0]?.path]).toEqual([400, 'cursor']);
});

const share: ExplainedShare = {
  ...{ environment: 'live', provider: 'efi', currency: 'BRL', lines: 9, lateLines: 2 },
  ...{ inTime: 999_999, late: 1, open: 0, resolved: 0 },
  unexplained: [{ side: 'P', age: 'older', matches: 2, plus: 700, minus: 50, oldestAt: '2026-01-02T10:04:37.250Z' }],
};

test('what is explained in time is a share of all that happened, and never rounded up to all of it', async () => {
  const quiet = { ...share, provider: 'woovi', inTime: 0, late: 0, unexplained: [] };
  shares = [share, { ...share, provider: 'spei', inTime: 2, late: 1, open: 1, resolved: 1 }, quiet];
  const { status, body } = await gateway.asOperator('GET', '/ops/explained?hours=48&environment=live&provider=efi');
  expect(status).toBe(200);
  expect(body.data).toMatchObject([
    { id: 'live/efi/BRL', matches: 1_000_000, in_time: 999_999, late: 1, share_ppm: 999_999, lines: 9, late_lines: 2 },
    { matches: 5, share_ppm: 400_000 },
    { matches: 0, share_ppm: null, unexplained: [] },
  ]);
  const sum = { side: 'P', age: 'older', matches: 2, plus_cents: 700, minus_cents: 50 };
  expect(body.data[0]?.unexplained).toEqual([{ ...sum, oldest_at: '2026-01-02T10:04:37.250Z' }]);
  const [request] = explained as { since: string }[];
  expect(request).toMatchObject({ environment: 'live', provider: 'efi' });
  expect(Date.now() - Date.parse(request?.since ?? '')).toBeGreaterThanOrEqual(48 * 3_600_000);
});

test.each(['0', '721', '1.5', 'x'])('a share of %s hours is refused by name', async (hours) => {
  const { status, body } = await gateway.asOperator('GET', `/ops/explained?hours=${hours}`);
  expect([status, body.error.details[0]?.path]).toEqual([400, 'hours']);
});
