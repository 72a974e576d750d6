import { expect, test } from 'vitest';
import { missingFiles } from '#src/files/observe-files.ts';
import { openBooks } from './books.ts';

const database = await openBooks();

test('the file of a day is late from 10:00 of the next one on, until a file covers that day', async () => {
  const overdueAt = async (time: string) =>
    (await missingFiles(database, new Date(time))).map((each) => each.overdueSec);
  await database.query(
    `insert into statement_source (provider, currency, kind, compared_from) values
       ('efi', 'BRL', 'file', '2026-11-20T03:00:00Z'), ('woovi', 'BRL', 'list', '2026-11-20T03:00:00Z')`,
  );
  expect(await overdueAt('2026-11-21T12:59:59Z')).toEqual([0, 0]);
  expect(await overdueAt('2026-11-21T14:00:00Z')).toEqual([3_600, 0]);
  await database.query(
    `insert into statement_file (id, provider, currency, format, dry_run, state, sha256, uploaded_by, received_at, from_day,
       to_day) values ('stf_1', 'efi', 'BRL', 'ofx', false, 'IMPORTED', '1', 'ana', now(), '2026-11-20', '2026-11-20')`,
  );
  expect(await overdueAt('2026-11-21T14:00:00Z')).toEqual([0, 0]);
  expect(await overdueAt('2026-11-24T14:00:00Z')).toEqual([2 * 86_400 + 3_600, 0]);
});
