import { expect, test, vi } from 'vitest';
import { indexedSessions } from '@gateway/persistence';
import { explainedLines } from '#src/lines/explained-lines.ts';
import { itemsArrived } from '#src/matching/items-arrived.ts';
import { after, line, openBooks } from './books.ts';

const database = await openBooks();

test('a page is spared what is known of its lines, and asks again about those that say nothing of what they are', async () => {
  const known = line('efi:one', 500, { e2eId: 'E1' });
  const silent = line('efi:two', 700, { kind: 'other' });
  await database.query(
    `insert into statement_source (provider, currency, kind, compared_from) values ('efi', 'BRL', 'list', $1)
     on conflict do nothing`,
    [after(0)],
  );
  await database.transaction(async (tx) => await itemsArrived(tx, { lines: [known, silent] }, after(0)));
  expect(await explainedLines(database, 'efi', ['one', 'two', 'three'])).toEqual(new Set(['one']));
  expect(await explainedLines(database, 'woovi', ['one'])).toEqual(new Set());
});

test('a known line is found by its key, also by a plan that was made on an empty table', async () => {
  const queries = vi.spyOn(database, 'query');
  await explainedLines(database, 'efi', ['one']);
  const [statement] = queries.mock.calls[0] ?? [];
  const client = await database.pool.connect();
  try {
    for (const [name, value] of Object.entries({ ...indexedSessions, plan_cache_mode: 'force_generic_plan' })) {
      await client.query(`set ${name} = ${value}`);
    }
    await client.query(`prepare known_lines as ${statement}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>('explain execute known_lines (null, null)');
    const ofLines = rows.map((row) => row['QUERY PLAN']).filter((each) => each.includes('line_key'));
    expect(ofLines).toEqual([expect.stringMatching(/Index Cond: .*environment.*provider.*currency.*line_key/)]);
  } finally {
    client.release(true);
  }
});
