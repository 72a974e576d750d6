import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { kitMigrations, type Database } from '@gateway/persistence';
import { createTestDatabase } from '@gateway/test-kit';
import { Endpoint } from '#src/endpoints/endpoint.ts';
import { logEvents } from '#src/fanout/log-events.ts';
import { publicEventOf } from '#src/fanout/public-events.ts';
import { migrations } from '#src/migrations/index.ts';
import { preparedTransaction } from '#src/queue/prepared-transaction.ts';
import { addUpEvents } from '#src/totals/add-up-events.ts';

const resources = new AsyncDisposableStack();
let database: Database;
beforeAll(async () => {
  const schema = { entities: [Endpoint], migrations: [...kitMigrations, ...migrations] };
  ({ database } = resources.use(await createTestDatabase('webhooks', schema)));
});
afterAll(async () => resources.disposeAsync());

const fixtures = join(import.meta.dirname, '../../../packages/contracts/test/fixtures');

/** Every event that merchants receive, in each form in which services publish it or have published it. */
const published = globSync('event.*.json', { cwd: fixtures }).flatMap((file) => {
  const [subject = ''] = file.replace(/\.json$/, '').split('@');
  const { payload } = JSON.parse(readFileSync(join(fixtures, file), 'utf8')) as { readonly payload: object };
  const data = { ...payload, id: newId('event'), provider: 'efi' };
  const event = publicEventOf(subject, data);
  return event ? [{ event, message: { subject, data }, trace: {} }] : [];
});

async function totals(): Promise<object[]> {
  await database.query('truncate hour_total, hour_provider_total, hour_total_position');
  while (await addUpEvents(database));
  return await database.query(
    `select environment, account_id, null as provider, hour, event, currency, count, amount from hour_total
     union all select environment, null, provider, hour, event, currency, count, amount from hour_provider_total
     order by event, environment, account_id, hour`,
  );
}

test('what the log notes of an event is what its payload has: totals are the same by either, for every event', async () => {
  await preparedTransaction(database, { durable: true }, (tx) => logEvents(tx, published));
  const noted = await totals();
  const named = new Set(noted.map((total) => (total as { readonly event: string }).event));
  expect([...named]).toEqual([
    ...['deposit.canceled', 'deposit.expired', 'deposit.paid', 'deposit.pending', 'deposit.refunded'],
    ...['med.lost', 'med.opened', 'med.under_analysis', 'med.won'],
    ...['payout.canceled', 'payout.failed', 'payout.paid', 'payout.pending', 'payout.processing', 'payout.returned'],
    ...['refund.done', 'refund.failed'],
  ]);
  // As an earlier version has logged them: they are read from their payloads.
  await database.query('update event_log set occurred_at = null, provider = null, currency = null, amount = null');
  expect(await totals()).toEqual(noted);
});
