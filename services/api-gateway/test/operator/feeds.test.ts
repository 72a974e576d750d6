import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { kitMigrations } from '@gateway/persistence';
import { feedMigrations, feedRoutes } from '@gateway/provider-feeds';
import { createTestDatabase, type TestDatabase } from '@gateway/test-kit';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const migrations = [...kitMigrations, ...feedMigrations];
const services = ['deposits', 'payouts', 'reconciler'] as const;
const readers = new Map<(typeof services)[number], TestDatabase>();
const stopping = new AsyncDisposableStack();
let gateway: GatewayUnderTest;

beforeAll(async () => {
  for (const service of services) readers.set(service, stopping.use(await createTestDatabase(service, { migrations })));
  const routes = [...readers].flatMap(([service, { database }]) => feedRoutes(database, service, () => new Date()));
  gateway = stopping.use(await startGateway(routes));
});
afterAll(async () => stopping.disposeAsync());

const [failsFrom, until] = ['2026-03-04T05:00:00.000Z', '2026-03-04T07:00:00.000Z'];
beforeEach(async () => {
  for (const { database } of readers.values()) {
    await database.query('truncate feed, poll_gap, feed_skip');
    await database.query(
      `insert into feed (environment, provider, name, lag_sec, from_at, width_ms, due_at, failing_since, failure)
       values ('live', 'bank', 'payments', 30, $1, 10000, now(), '2026-03-04T05:00:30Z', '500'),
         ('live', 'bank', 'returns', 30, $1, 10000, now(), null, null)`,
      [failsFrom],
    );
  }
});

const feedOf = async (id: string) => {
  const { body } = await gateway.asOperator('GET', '/ops/feeds');
  return (body.data as unknown as { id: string }[]).find((feed) => feed.id === id);
};
const reason = 'the bank has no data of these hours';
const propose = (id: string, members: object = {}) =>
  gateway.asOperator('POST', `/ops/feeds/${id}/skip`, { body: { until, reason, ...members } });

test.each(services)(
  'a part of a list of %s is skipped by two operators, and stays in sight with the reason and who approved it',
  async (service) => {
    const id = `${service}.live.bank.payments`;
    const { status, body } = await propose(id);
    expect(status).toBe(202);
    expect(body.approval).toMatchObject({
      ...{ kind: 'feed.skip', target: id, proposed_by: 'ana', reason },
      request: { from: failsFrom, until },
      before: { failing_since: '2026-03-04T05:00:30.000Z', fails_from: failsFrom, gaps: [] },
    });
    const alone = await gateway.asOperator('POST', `/ops/approvals/${body.approval.id}/approve`);
    expect([alone.status, alone.body.error.code]).toEqual([409, 'SECOND_PERSON_REQUIRED']);
    expect(await feedOf(id)).toMatchObject({ read_until: failsFrom, gaps: [] });
    const approved = await gateway.asSecond('POST', `/ops/approvals/${body.approval.id}/approve`);
    const gap = { from: failsFrom, to: until, cause: reason, attempts: 0, skipped_by: body.approval.id };
    const skipped = { read_until: until, failing_since: null, failure: null, fails_from: null, gaps: [gap] };
    expect(approved.body.approval).toMatchObject({ state: 'APPLIED', outcome: skipped });
    expect(await feedOf(id)).toMatchObject(skipped);
    const { body: trail } = await gateway.asOperator('GET', `/ops/audit?target=${id}`);
    expect(trail.data).toMatchObject([
      { operator: 'bruno', action: 'feed.skip', before: { fails_from: failsFrom }, after: { gaps: [gap] } },
    ]);
  },
);

test('a list that is read again by the time of the approval is not skipped', async () => {
  const id = 'deposits.live.bank.payments';
  const { body } = await propose(id);
  await readers.get('deposits')!.database.query('update feed set failing_since = null, from_at = now()');
  const approved = await gateway.asSecond('POST', `/ops/approvals/${body.approval.id}/approve`);
  expect(approved.body.error.code).toBe('INVALID_STATE');
  expect(await feedOf(id)).toMatchObject({ gaps: [] });
});

test.each([
  [{ until: failsFrom }, 'until'],
  [{ until: '2026-04-04T05:00:00.001Z' }, 'until'],
  [{ until: '2100-01-01T00:00:00Z' }, 'until'],
  [{ until: '2026-03-04T07:00:00' }, 'until'],
  [{ until: 1_772_600_400 }, 'until'],
  [{ reason: '' }, 'reason'],
  [{ from: failsFrom }, 'from'],
])('a skip with %j is refused by name', async (members, path) => {
  const { status, body } = await propose('deposits.live.bank.payments', members);
  expect([status, body.error.details.map((detail) => detail.path)]).toEqual([400, [path]]);
});

test('what is still to come is not skipped', async () => {
  const { database } = readers.get('deposits')!;
  await database.query(`update feed set from_at = now() - interval '1 hour' where failing_since is not null`);
  for (const [aheadMs, status] of [
    [60_000, 400],
    [-60_000, 202],
  ] as const) {
    const members = { until: new Date(Date.now() + aheadMs).toISOString() };
    expect((await propose('deposits.live.bank.payments', members)).status).toBe(status);
  }
});

test('a list that is there no more, or is read, is not skipped', async () => {
  for (const id of ['nonsense', 'deposits', 'deposits.live.bank.nothing', 'ledger.live.bank.payments', 'constructor']) {
    expect([id, (await propose(id)).status]).toEqual([id, 404]);
  }
  const read = await propose('payouts.live.bank.returns');
  expect([read.status, read.body.error.code]).toEqual([409, 'INVALID_STATE']);
});

test.each(services)(
  'all gaps of a list of %s are paged through, oldest first, however many there are',
  async (service) => {
    const gapCount = 431;
    await readers.get(service)!.database.query(
      `insert into poll_gap (environment, provider, name, from_at, to_at, place, cause, found_at, attempts, next_attempt_at)
     select 'live', 'bank', 'payments', $1::timestamptz + make_interval(secs => n / 2), $2::timestamptz, n::text, 'not JSON', now(), n, now()
     from generate_series(1, $3) as n
     union all select 'live', 'bank', 'returns', $1::timestamptz, $2::timestamptz, '', 'of another list', now(), 0, now()`,
      [failsFrom, until, gapCount],
    );
    const id = `${service}.live.bank.payments`;
    expect(await feedOf(id)).toMatchObject({ gap_count: gapCount, gaps: { length: 100 } });
    expect(await feedOf(`${service}.live.bank.returns`)).toMatchObject({ gap_count: 1, gaps: { length: 1 } });
    const found: { from: string; cause: string }[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { status, body } = await gateway.asOperator(
        'GET',
        `/ops/feeds/${id}/gaps?limit=200${cursor && `&cursor=${cursor}`}`,
      );
      expect(status).toBe(200);
      const page = body as unknown as { data: typeof found; next_cursor: string | null };
      found.push(...page.data);
      cursor = page.next_cursor;
    }
    expect(found).toHaveLength(gapCount);
    expect(new Set(found.map(({ cause }) => cause))).toEqual(new Set(['not JSON']));
    expect(found.map(({ from }) => from)).toEqual(found.map(({ from }) => from).toSorted());
    const nonsense = await gateway.asOperator('GET', `/ops/feeds/${id}/gaps?cursor=e30`);
    expect([nonsense.status, nonsense.body.error.details]).toMatchObject([400, [{ path: 'cursor' }]]);
    expect((await gateway.asOperator('GET', `/ops/feeds/${service}.live.bank.nothing/gaps`)).status).toBe(404);
  },
);
