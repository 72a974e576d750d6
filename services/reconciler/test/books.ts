import { afterAll, beforeEach } from 'vitest';
import { newId } from '@gateway/money';
import type { ItemKind } from '@gateway/contracts/reconciler';
import type { Database } from '@gateway/persistence';
import { createTestDatabase } from '@gateway/test-kit';
import { itemsArrived } from '#src/matching/items-arrived.ts';
import type { Fact, Items, Line } from '#src/matching/items.ts';
import { subjectOfCommand, subjectOfRecord } from '#src/matching/kinds.ts';
import { migrations } from '#src/migrations/migrations.ts';

/** The database of a file's tests, removed after the last and without lines, facts and matches before each of them. */
export async function openBooks(): Promise<Database> {
  const books = await createTestDatabase('reconciler', { migrations });
  afterAll(async () => books[Symbol.asyncDispose]());
  beforeEach(async () => emptyTables(books.database));
  return books.database;
}

/** Noon of the day on which everything of these tests happens. */
export const noon = new Date('2026-11-20T15:00:00Z');
export const after = (minutes: number) => new Date(noon.getTime() + minutes * 60_000);

const nothing = {
  ...{ e2eId: null, returnId: null, ourRef: null, counterparty: null, revision: 0, provider: 'efi', currency: 'BRL' },
} as const;

export function line(lineKey: string, amount: number, members: Partial<Line> = {}): Line {
  return {
    ...nothing,
    ...{ environment: 'live', kind: 'payment', lineKey, amount, bookedAt: noon, valueDate: '2026-11-20', text: null },
    ...{ source: 'list', fileId: null, batchKey: null, raw: Buffer.from(lineKey) },
    ...members,
  };
}

export function record(kind: ItemKind, id: string, amount: number, members: Partial<Fact> = {}): Fact {
  const subject = subjectOfRecord(kind, id);
  return {
    ...nothing,
    ...{ environment: 'live', side: 'R', key: subject, subject, kind, amount, occurredAt: noon },
    ...{ accountId: 'acc_1', recordId: id, commandId: null, sequence: null, hash: null, fee: null },
    ...members,
  };
}

export function booked(commandId: string, amount: number, members: Partial<Fact> = {}): Fact {
  const about = subjectOfCommand(commandId);
  return {
    ...nothing,
    ...{ environment: 'live', side: 'L', key: commandId, ...about, amount, occurredAt: noon, accountId: 'acc_1' },
    ...{ recordId: null, commandId, sequence: 1, hash: null, fee: null },
    ...members,
  };
}

/** A payment that all three sides have. */
export function payment(amount: number, e2eId: string): { readonly id: string; readonly items: Required<Items> } {
  const id = newId('deposit');
  const facts = [record('payment', id, amount, { e2eId }), booked(`credit-deposit:${id}`, amount)];
  return { id, items: { lines: [line(`line-${e2eId}`, amount, { e2eId })], facts } };
}

export async function arrive(database: Database, items: Items, now = noon): Promise<void> {
  await database.transaction((tx) => itemsArrived(tx, items, now));
}

/** The statement of the provider is compared, as its reader says with its first line. */
export async function compare(database: Database, kind: 'list' | 'file' = 'list', provider = 'efi'): Promise<void> {
  await database.query(
    `insert into statement_source (provider, currency, kind, compared_from) values ($1, 'BRL', $2, '2026-01-01')`,
    [provider, kind],
  );
}

export interface ShownMatch {
  readonly subject: string;
  readonly state: string;
  readonly p: number;
  readonly r: number;
  readonly l: number;
}

/** Every match, and what became of every line: what must not depend on the order in which items came. */
export async function matchesOf(database: Database) {
  const matches = await database.query<ShownMatch>(
    `select environment, provider, currency, subject, kind, state, needs_line,
       p_items, p_amount as p, r_items, r_amount as r, l_items, l_amount as l
     from match order by environment, provider, currency, subject`,
  );
  const lines = await database.query(
    'select provider, currency, line_key, amount, subject, rule from line order by provider, currency, line_key',
  );
  return { matches, lines };
}

export async function emptyTables(database: Database): Promise<void> {
  const tables = [
    'line',
    'fact',
    'match',
    'match_side',
    'exception',
    'statement_source',
    'reading',
    'line_day',
    'statement_account',
    'statement_period',
    'explained_hour',
    'explained_since',
  ];
  // For a few rows that is a fraction of the time in which tables are truncated.
  await database.pool.query(tables.map((table) => `delete from ${table}`).join('; '));
}
