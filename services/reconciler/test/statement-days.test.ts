import { beforeEach, expect, test } from 'vitest';
import { NotFoundError } from '@gateway/contracts/errors';
import type { ProviderBalance } from '@gateway/contracts/providers';
import { silentLogger } from '@gateway/test-kit';
import { KeptComparisons } from '#src/days/kept-comparisons.ts';
import { listDays } from '#src/days/list-days.ts';
import { closeByHand, closeDays } from '#src/days/statement-days.ts';
import { readCheckpoint } from '#src/sides/sources.ts';
import { arrive, line, openBooks } from './books.ts';

const database = await openBooks();

let balances: ProviderBalance[];
beforeEach(async () => {
  await database.query('truncate day_close, feed, poll_gap');
  balances = [];
  await database.query(
    `insert into statement_source (provider, currency, kind, compared_from)
     values ('efi', 'BRL', 'list', '2026-11-20T12:00:00Z')`,
  );
});

/** In São Paulo, three hours behind UTC. */
const at = (text: string) => new Date(`2026-11-${text}-03:00`);
const note = `pay.example.com/ledger/live.0\n812\n${Buffer.alloc(32, 7).toString('base64')}\n\n— signature\n`;
const closing = (now: Date) => ({
  ...{ database, logger: silentLogger, now: () => now, balances: async () => balances },
  checkpoint: async () => readCheckpoint(note),
});

async function readUntil(until: Date): Promise<void> {
  await database.query(
    `insert into feed (environment, provider, name, lag_sec, from_at, width_ms, due_at)
     values ('live', 'efi', 'statement', 30, $1, 1000, $1)
     on conflict (environment, provider, name, lag_sec) do update set from_at = excluded.from_at`,
    [until],
  );
}

const held = (amount: number, comparedAt: Date): ProviderBalance => ({
  ...{ provider: 'efi', currency: 'BRL', held: amount, booked: amount, ownFunds: 0, inFlight: [], difference: 0 },
  ...{ differsSince: null, comparedAt: comparedAt.getTime() / 1_000, problem: null },
});
const booked = (key: string, amount: number, bookedAt: Date) => line(key, amount, { e2eId: key, bookedAt });
const days = async () =>
  (await listDays({ database }, { limit: 50 })).days.map(({ day, state, opening, lines, late, closing: end }) => [
    ...[day, state, opening, lines, late, end],
  ]);

test('a day closes at four, when its statement was read to the end', async () => {
  await arrive(database, { lines: [booked('1', 500, at('20T12:00:00')), booked('2', -80, at('20T23:59:59.999'))] });
  await readUntil(at('20T23:59:00'));
  await closeDays(closing(at('21T04:00:00')));
  expect(await days()).toEqual([['2026-11-20', 'OPEN', 0, 420, 0, 420]]);
  await readUntil(at('21T05:00:00'));
  await closeDays(closing(at('21T03:59:59')));
  expect(await days()).toMatchObject([['2026-11-20', 'OPEN', 0, 420, 0, 420]]);
  await arrive(database, { lines: [booked('3', 7, at('21T00:00:00'))] });
  await closeDays(closing(at('21T04:00:00')));
  expect(await days()).toEqual([
    ['2026-11-21', 'OPEN', 420, 7, 0, 427],
    ['2026-11-20', 'CLOSED', 0, 420, 0, 420],
  ]);
});

test('a part of the statement that could not be read keeps its day open, and none after it once operators have closed it', async () => {
  await readUntil(at('22T05:00:00'));
  await database.query(
    `insert into poll_gap (environment, provider, name, from_at, to_at, cause, found_at, next_attempt_at)
     values ('live', 'efi', 'statement', $1, $1, 'no JSON', now(), now())`,
    [at('20T15:00:00')],
  );
  await closeDays(closing(at('22T06:00:00')));
  expect(await days()).toMatchObject([['2026-11-20', 'OPEN', 0, 0, 0, 0]]);
  const byHand = { provider: 'efi', currency: 'BRL', day: '2026-11-20', operator: 'ana, bruno' };
  await closeByHand(closing(at('22T06:00:00')), byHand);
  await closeDays(closing(at('22T06:00:00')));
  expect((await days()).map(([day, state]) => [day, state])).toEqual([
    ['2026-11-22', 'OPEN'],
    ['2026-11-21', 'CLOSED'],
    ['2026-11-20', 'CLOSED'],
  ]);
});

test('a closed day takes no line: one that comes late, or is corrected, belongs to the day that is open', async () => {
  await arrive(database, { lines: [booked('1', 500, at('20T12:00:00'))] });
  await readUntil(at('21T05:00:00'));
  await closeDays(closing(at('21T05:00:00')));
  const corrected = { ...booked('1', 510, at('20T12:00:00')), revision: 1 };
  await arrive(database, {
    lines: [booked('2', -80, at('20T13:00:00')), booked('3', 9, at('21T13:00:00')), corrected],
  });
  expect(await days()).toEqual([
    ['2026-11-21', 'OPEN', 500, -61, -70, 439],
    ['2026-11-20', 'CLOSED', 0, 500, 0, 500],
  ]);
  await expect(database.query('update day_close set closing = 1, lines = 1')).rejects.toThrow('never changes');
  await expect(database.query('delete from day_close')).rejects.toThrow('never changes');
});

test('a closed day has the size and the root of what the ledger had signed then; nothing where it does not answer', async () => {
  await arrive(database, { lines: [booked('1', 500, at('20T12:00:00')), booked('2', 30, at('21T12:00:00'))] });
  await readUntil(at('22T05:00:00'));
  await closeDays(closing(at('21T04:00:00')));
  const silent = { ...closing(at('22T12:30:00')), checkpoint: () => Promise.reject(new NotFoundError('ledger')) };
  await expect(closeDays(silent)).rejects.toThrow('ledger');
  await closeByHand(silent, { provider: 'efi', currency: 'BRL', day: '2026-11-21', operator: 'ana' });
  const listed = await listDays({ database }, { limit: 10 });
  expect(listed.days.map(({ day, checkpoint }) => [day, checkpoint])).toEqual([
    ['2026-11-22', null],
    ['2026-11-21', null],
    ['2026-11-20', { size: 812, root: Buffer.alloc(32, 7).toString('base64') }],
  ]);
});

test('the first day begins with what the provider held, and each later one closes when the provider agrees', async () => {
  await arrive(database, {
    lines: [booked('1', 500, at('20T12:00:00')), booked('2', 30, at('21T02:00:00'))],
  });
  await readUntil(at('21T05:00:00'));
  balances = [held(1_530, at('20T20:00:00'))];
  await closeDays(closing(at('21T05:00:00')));
  expect(await days()).toMatchObject([['2026-11-20', 'OPEN', 0, 500, 0, 500]]);
  balances = [held(1_530, at('21T04:30:00'))];
  await closeDays(closing(at('21T05:00:00')));
  expect(await days()).toEqual([
    ['2026-11-21', 'OPEN', 1_500, 30, 0, 1_530],
    ['2026-11-20', 'CLOSED', 1_000, 500, 0, 1_500],
  ]);
  await readUntil(at('22T05:00:00'));
  balances = [held(1_531, at('22T04:30:00'))];
  await closeDays(closing(at('22T05:00:00')));
  expect(await days()).toMatchObject([['2026-11-21', 'OPEN', 1_500, 30, 0, 1_530], { 1: 'CLOSED' }]);
  await arrive(database, { lines: [booked('3', 1, at('21T15:00:00'))] });
  await closeDays(closing(at('22T05:00:00')));
  expect((await days())[1]).toEqual(['2026-11-21', 'CLOSED', 1_500, 31, 0, 1_531]);
});

test('a day closes although its statement is never read up to the newest comparison', async () => {
  const comparisons = new KeptComparisons();
  await arrive(database, { lines: [booked('1', 500, at('20T12:00:00')), booked('2', 30, at('21T03:00:00'))] });
  const round = async (minute: string, amount: number) => {
    await readUntil(at(`21T05:${minute}:00`));
    balances = [held(amount, at(`21T05:${minute}:30`))];
    await closeDays(closing(at(`21T05:${minute}:45`)), comparisons);
  };
  await round('00', 530);
  await arrive(database, { lines: [booked('3', 5, at('21T05:00:50'))] });
  expect((await days()).map(([, state]) => state)).toEqual(['OPEN']);
  await round('01', 535);
  expect(await days()).toEqual([
    ['2026-11-21', 'OPEN', 500, 35, 0, 535],
    ['2026-11-20', 'CLOSED', 0, 500, 0, 500],
  ]);
});

test('a day that differs from a comparison that was kept is tried again with a later one', async () => {
  const comparisons = new KeptComparisons();
  await readUntil(at('21T05:00:00'));
  balances = [held(100, at('21T04:30:00'))];
  await closeDays(closing(at('21T05:00:00')));
  await readUntil(at('22T05:00:00'));
  balances = [held(101, at('22T05:00:30'))];
  await closeDays(closing(at('22T05:00:45')), comparisons);
  await readUntil(at('22T05:01:00'));
  balances = [held(100, at('22T05:00:55'))];
  await closeDays(closing(at('22T05:01:10')), comparisons);
  expect((await days()).map(([, state]) => state)).toEqual(['OPEN', 'CLOSED']);
  await closeDays(closing(at('22T05:01:20')), comparisons);
  expect((await days()).map(([, state]) => state)).toEqual(['OPEN', 'CLOSED', 'CLOSED']);
});

test('an operator closes a day that differs as it stands, in the order of days, once', async () => {
  await arrive(database, { lines: [booked('1', 500, at('20T12:00:00'))] });
  await readUntil(at('21T05:00:00'));
  const now = closing(at('21T12:30:00'));
  const asked = { provider: 'efi', currency: 'BRL', day: '2026-11-20', operator: 'ana' };
  await expect(closeByHand(now, { ...asked, provider: 'none' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(closeByHand(now, { ...asked, day: '2026-11-21' })).rejects.toMatchObject({ code: 'INVALID_STATE' });
  await expect(closeByHand(closing(at('20T23:00:00')), asked)).rejects.toMatchObject({ code: 'INVALID_STATE' });
  const { day } = await closeByHand(now, asked);
  expect(day).toMatchObject({ state: 'CLOSED', closing: 500, closedBy: 'ana', providerBalance: null });
  expect(await closeByHand(now, { ...asked, operator: 'bruno' })).toEqual({ day });
});

test('the parts of a line that settles many are not counted again', async () => {
  const whole = line('b', 100, { kind: 'batch', bookedAt: at('20T12:00:00') });
  const parts = ['1', '2'].map((key) => line(key, 50, { batchKey: 'b', bookedAt: at('20T12:00:00') }));
  await arrive(database, { lines: [whole, ...parts] });
  expect(await days()).toEqual([['2026-11-20', 'OPEN', 0, 100, 0, 100]]);
});

test('days are listed page by page, newest first', async () => {
  await readUntil(at('24T05:00:00'));
  await closeDays(closing(at('23T05:00:00')));
  const first = await listDays({ database }, { limit: 2 });
  expect(first.days.map(({ day }) => day)).toEqual(['2026-11-23', '2026-11-22']);
  const second = await listDays({ database }, { limit: 2, cursor: first.nextCursor!, provider: 'efi' });
  expect(second).toMatchObject({ days: [{ day: '2026-11-21' }, { day: '2026-11-20' }], nextCursor: null });
  await expect(listDays({ database }, { limit: 1, cursor: 'nonsense' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  });
});
