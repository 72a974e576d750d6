import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { eventually } from '@gateway/test-kit';
import { request, Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(async () => harness[Symbol.asyncDispose]());

test('no index holds a column that every payout changes on its way, except when it is due', async () => {
  const rows = await harness.dependencies.database.query<{ column: string }>(
    `select distinct attribute.attname as column
     from pg_index as index
     join pg_depend as part on part.classid = 'pg_class'::regclass and part.objid = index.indexrelid
       and part.refobjid = index.indrelid and part.refobjsubid > 0
     join pg_attribute as attribute on attribute.attrelid = index.indrelid and attribute.attnum = part.refobjsubid
     where index.indrelid = 'payout'::regclass`,
  );
  const indexed = rows.map(({ column }) => column);
  expect(indexed).toContain('due_at');
  const changed = ['state', 'version', 'sent_at', 'call_started_at', 'called_at', 'processing_at', 'provider_ref'];
  expect(indexed.filter((column) => [...changed, 'e2e_id', 'paid_at', 'lookups'].includes(column))).toEqual([]);
});

test('a step leaves the due time as it is while enough of the lease is left', async () => {
  const { payouts, now } = harness.dependencies;
  const dueTimes: (Date | null | undefined)[] = [];
  const recording = new Proxy(payouts, {
    get: (table, name) => {
      const member: unknown = Reflect.get(table, name);
      if (typeof member !== 'function') return member;
      if (name !== 'move') return member.bind(table) as unknown;
      return async (...args: Parameters<typeof payouts.move>) => {
        const moved = await payouts.move(...args);
        dueTimes.push(moved?.dueAt);
        return moved;
      };
    },
  });
  const leased = { hasRoom: true, keep: () => undefined };
  await harness.create(
    request(harness.account(10_000)),
    { ...harness.dependencies, payouts: recording, leased },
    20_000,
  );
  const leaseEnd = new Date(now().getTime() + 22_000);
  expect(dueTimes).toEqual([leaseEnd, leaseEnd]);
});

test('changes of the same payout that meet are one change and one refusal', async () => {
  const { payouts, now } = harness.dependencies;
  const { payout } = await harness.create(request(harness.account(10_000)));
  const row = (await payouts.findById(payout.id))!;
  const amended = await Promise.all([1, 2].map((rechecks) => payouts.amend(row, { rechecks, recheckAt: now() })));
  expect(amended.map((each) => each?.rechecks)).toEqual([1, undefined]);
  expect(await payouts.findById(payout.id)).toMatchObject({ rechecks: 1, version: row.version + 1 });
});

test('a payout under a limit per day waits for another one of its account that is being decided', async () => {
  const { payouts, database } = harness.dependencies;
  const account = harness.account(100_000, { payoutLimits: { perPayoutCents: null, perDayCents: 5_000 } });
  const { payout } = await harness.create(request(account, { amount: 1_000 }));
  const row = (await payouts.findById(payout.id))!;
  const deciding = await database.pool.connect();
  await deciding.query('begin');
  await deciding.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `${row.environment} ${row.accountId}`,
  ]);
  const next: typeof row = {
    ...row,
    state: 'RESERVING',
    id: newId('payout'),
    externalId: newId('request'),
    reference: newId('request'),
  };
  const inserting = payouts.insertWithinDay(next, 5_000);
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  try {
    await eventually(async () => expect(await database.query(waiting)).toHaveLength(1), { timeoutMs: 10_000 });
  } finally {
    await deciding.query('commit');
    deciding.release();
  }
  expect(await inserting).toMatchObject({ needsApproval: false });
});
