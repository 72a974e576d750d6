import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@gateway/test-kit';
import { blocksOf } from './support/document.ts';

const sqlOf = (page: string) =>
  blocksOf(readFileSync(join(import.meta.dirname, '../docs', page), 'utf8'))
    .filter(({ language }) => language === 'sql')
    .map(({ text }) => text);
const [table = '', , claims = ''] = sqlOf('webhooks.md');
/** As the page shows them: claim, what a claim without a row asks, done, release. */
const [take = '', isDone = '', finish = '', free = ''] = claims.split(/(?<=;)\n/);

let stored: TestDatabase;
let shop: Client;
beforeAll(async () => {
  stored = await createTestDatabase('handled-events', { migrations: [] });
  shop = new Client({ connectionString: stored.url });
  await shop.connect();
  await shop.query(table);
});
afterAll(async () => {
  await shop.end();
  await stored[Symbol.asyncDispose]();
});
beforeEach(async () => void (await shop.query('truncate handled_events')));

async function claim(): Promise<string> {
  const taken = await shop.query<{ token: string }>(take, ['evt_1']);
  if (taken.rows[0] !== undefined) return taken.rows[0].token;
  const found = await shop.query<{ done: boolean }>(isDone, ['evt_1']);
  return found.rows[0]?.done === true ? 'done' : 'busy';
}
const done = async () => void (await shop.query(finish, ['evt_1']));
const release = async (token: string) => void (await shop.query(free, ['evt_1', token]));
const isToken: unknown = expect.stringMatching(/^[0-9a-f-]{36}$/);

/** The token of a delivery whose claim has expired, and that of the delivery that has the event now. */
async function overtaken(): Promise<[string, string]> {
  const first = await claim();
  await shop.query("update handled_events set claimed_until = now() - interval '1 second'");
  return [first, await claim()];
}

test('an event is claimed by one delivery, free again after a failure, and done for ever', async () => {
  const first = await claim();
  expect([first, await claim()]).toEqual([isToken, 'busy']);
  await release(first);
  expect(await claim()).toEqual(isToken);
  await done();
  expect([await claim(), await claim()]).toEqual(['done', 'done']);
});

test('a delivery whose claim has expired leaves the event to the delivery that has it, when it fails', async () => {
  const [first, second] = await overtaken();
  expect(second).toEqual(isToken);
  await release(first);
  expect(await claim()).toBe('busy');
  await release(second);
  expect(await claim()).toEqual(isToken);
});

test('what a delivery has handled after its claim had expired stays handled, whatever becomes of the other', async () => {
  const [, second] = await overtaken();
  await done();
  await release(second);
  expect(await claim()).toBe('done');
});

test('it stays handled also where the other delivery has released the event before', async () => {
  const [, second] = await overtaken();
  await release(second);
  await done();
  expect(await claim()).toBe('done');
});

test('both languages of the guide have the same SQL', () => {
  expect(sqlOf('pt-br/webhooks.md')).toEqual(sqlOf('webhooks.md'));
});
