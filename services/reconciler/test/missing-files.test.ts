import { expect, test } from 'vitest';
import { metricsText } from '@gateway/runtime';
import { missingFiles } from '#src/files/observe-files.ts';
import { after, arrive, booked, compare, line, openBooks, record } from './books.ts';

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

test.each(['list', 'file'] as const)(
  'how long a payment waited to be explained is counted from its first side, or from the arrival of its file: %s',
  async (source) => {
    const waited = async () => {
      const { text } = await metricsText();
      const sum = /^gateway_recon_explained_seconds_sum\{environment="live",kind="payment"\} (\S+)/m.exec(text)?.[1];
      return Number(sum ?? 0);
    };
    await compare(database, source);
    const before = await waited();
    const e2eId = 'E12345678202611201200aaaaaaaaaaa';
    const facts = [record('payment', 'dep_1', 1_000, { e2eId }), booked('credit-deposit:dep_1', 1_000)];
    await arrive(database, { facts });
    // Another payment of the file has no record before a minute later.
    const other = 'E12345678202611201200bbbbbbbbbbb';
    const lines = [e2eId, other].map((id, at) => line(`line-${at}`, 1_000, { e2eId: id, source }));
    await arrive(database, { lines }, after(600));
    const late = [record('payment', 'dep_2', 1_000, { e2eId: other, occurredAt: after(601) })];
    await arrive(
      database,
      { facts: [...late, booked('credit-deposit:dep_2', 1_000, { occurredAt: after(601) })] },
      after(601),
    );
    const [first, second] = source === 'file' ? [0, 1] : [600, 601];
    expect((await waited()) - before).toBe((first + second) * 60);
  },
);
