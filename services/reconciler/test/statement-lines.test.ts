import { beforeEach, describe, expect, test } from 'vitest';
import type { FeedPage, FeedRow } from '@gateway/contracts/providers';
import { Providers, type ConnectedProvider, type StatementFeed, type StatementLine } from '@gateway/providers';
import { silentLogger } from '@gateway/test-kit';
import { compareStatements, statementFeeds } from '#src/lines/statement-feeds.ts';
import { openBooks } from './books.ts';

const database = await openBooks();

const start = new Date('2026-11-20T15:00:00Z');
let now = start;
/** What the provider lists now; null while it does not answer. */
let listed: FeedRow[] | null = [];
/** Of the lines that it lists, those of which it was answered that all is known. */
let known: ReadonlySet<string> | undefined;

const statement: StatementFeed = {
  name: 'statement',
  rereadAfterHours: [],
  readPage: async (_query, options): Promise<FeedPage> => {
    if (!listed) return { kind: 'unavailable', cause: 'no answer' };
    known = await options?.known?.(listed.map(({ key }) => key));
    return { kind: 'page', rows: listed, next: null };
  },
  read: ({ raw }) => {
    const { bookedAt, ...line } = raw as StatementLine & { readonly bookedAt: string };
    if (typeof bookedAt !== 'string') return { kind: 'unreadable', shape: 'no time' };
    return { kind: 'line', line: { ...line, bookedAt: new Date(bookedAt) } };
  },
};
const provider = { id: 'woovi', capabilities: { rails: ['PIX'] }, statement } as unknown as ConnectedProvider;
const dependencies = () => ({
  ...{ database, logger: silentLogger, now: () => now },
  providers: new Providers([provider], []),
});

function row(lineKey: string, amount: number, members: Partial<StatementLine> = {}): FeedRow {
  const nothing = { e2eId: null, transferId: null, returnId: null, ourRef: null, counterparty: null, text: null };
  const line = { lineKey, amount, currency: 'BRL', kind: 'payment', valueDate: '2026-11-20', ...nothing, ...members };
  return { key: lineKey, raw: { ...line, bookedAt: start.toISOString() } };
}

const lines = () =>
  database.query(
    'select line_key as key, kind, amount, e2e_id as e2e, revision from line order by line_key collate "C"',
  );

beforeEach(async () => {
  for (const table of ['feed', 'item_inbox', 'statement_source']) await database.query(`delete from ${table}`);
  now = start;
  listed = [];
});

/** A minute later every reader reads once more. */
async function readAgain(rows: FeedRow[] | null): Promise<void> {
  listed = rows;
  now = new Date(now.getTime() + 3_600_000);
  const feeds = statementFeeds(dependencies(), 60);
  await feeds.readDue();
  await feeds.takeDue();
}

describe('the lines of a statement', () => {
  test('are written once however often they are listed, and two of one content are two', async () => {
    const doubled = [row('l1', 100, { e2eId: 'E1' }), row('l2', 100, { e2eId: 'E1' })];
    await readAgain(doubled);
    await readAgain(doubled);
    expect(await lines()).toEqual([
      { key: 'woovi:l1', kind: 'payment', amount: 100, e2e: 'E1', revision: 0 },
      { key: 'woovi:l2', kind: 'payment', amount: 100, e2e: 'E1', revision: 0 },
    ]);
  });

  test('take the place of what they were when their amount changes, and forget no id that another list leaves out', async () => {
    await readAgain([row('l1', 100, { kind: 'other' })]);
    await readAgain([row('l1', 100, { kind: 'payment', e2eId: 'E1' })]);
    await readAgain([row('l1', 100, { kind: 'other' })]);
    expect(await lines()).toEqual([{ key: 'woovi:l1', kind: 'payment', amount: 100, e2e: 'E1', revision: 1 }]);
    await readAgain([row('l1', 101, { kind: 'other' })]);
    expect(await lines()).toEqual([{ key: 'woovi:l1', kind: 'payment', amount: 101, e2e: 'E1', revision: 2 }]);
  });

  test('that say what they are about are known to the list that is read again, and the others are asked about once more', async () => {
    await compareStatements(dependencies());
    const rows = [row('l1', 100, { e2eId: 'E1' }), row('l2', 100, { kind: 'other' }), row('l3', 100, { kind: 'fee' })];
    await readAgain([...rows, row('l4', -100, { kind: 'other', returnId: 'D1' })]);
    await readAgain([...rows, row('l4', -100), row('l5', 100)]);
    expect(known).toEqual(new Set(['l1', 'l3', 'l4']));
  });

  test('that cannot be read wait with their row, are tried again, and keep no other line from being written', async () => {
    const unreadable = { key: 'l2', raw: { simulated: true } };
    await readAgain([row('l1', 100), unreadable, row('l3', 300)]);
    expect((await lines()).map((line) => (line as { key: string }).key)).toEqual(['woovi:l1', 'woovi:l3']);
    expect(await database.query('select feed, key, state from item_inbox')).toEqual([
      { feed: 'statement', key: 'l2', state: 'UNREADABLE' },
    ]);
  });

  test('of a list that does not answer are read when it answers again, from where it had been read', async () => {
    await readAgain([row('l1', 100)]);
    await readAgain(null);
    expect(await database.query('select 1 from feed where failing_since is not null')).not.toEqual([]);
    await readAgain([row('l2', 200)]);
    expect(await lines()).toHaveLength(2);
  });

  test('are needed from the first start with the statement on, and not from any later one', async () => {
    await compareStatements(dependencies());
    now = new Date(now.getTime() + 60_000);
    await compareStatements(dependencies());
    expect(
      await database.query('select provider, currency, kind, compared_from as since from statement_source'),
    ).toEqual([{ provider: 'woovi', currency: 'BRL', kind: 'list', since: start }]);
  });
});
