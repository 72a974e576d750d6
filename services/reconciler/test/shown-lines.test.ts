import { expect, test } from 'vitest';
import { getException } from '#src/exceptions/exception-rows.ts';
import { listLines } from '#src/lines/read-lines.ts';
import { sweep } from '#src/matching/sweep.ts';
import { after, arrive, line, openBooks } from './books.ts';

const database = await openBooks();

test('a list has the beginning of each line and how long it is, and an exception the whole line', async () => {
  const whole = `x${'ç'.repeat(1_000_000)}`;
  await arrive(database, { lines: [line('long', 100, { raw: Buffer.from(whole) }), line('short', 200)] });
  await sweep({ database, now: () => after(6) });
  const { lines } = await listLines({ database }, { limit: 200 });
  expect(lines.map(({ raw, rawBytes }) => [raw, rawBytes])).toEqual([
    [`x${'ç'.repeat(511)}`, 2_000_001],
    ['short', 5],
  ]);
  const [exception] = await database.query<{ id: string }>('select id from exception where amount = 100');
  const shown = await getException({ database }, { id: exception?.id ?? '' });
  expect(shown.lines.map(({ raw, rawBytes }) => [raw === whole, rawBytes])).toEqual([[true, 2_000_001]]);
});

test('an exception of many long lines is answered, with the first of them whole', async () => {
  const raw = Buffer.alloc(900_000, 'x');
  const parts = Array.from({ length: 12 }, (_, at) => line(`part-${10 + at}`, 10, { raw, batchKey: 'batch-1' }));
  const lines = [line('batch-1', 100, { kind: 'batch' }), ...parts];
  await arrive(database, { lines });
  await sweep({ database, now: () => after(60 * 24) });
  const [exception] = await database.query<{ id: string }>(`select id from exception where reason = 'batch_differs'`);
  const shown = await getException({ database }, { id: exception?.id ?? '' });
  expect(shown.lines).toHaveLength(13);
  expect(shown.lines.filter((each) => each.raw?.length === 900_000)).toHaveLength(2);
  expect(shown.lines.filter((each) => each.raw?.length === 1_024)).toHaveLength(10);
});
