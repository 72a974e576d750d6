import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LedgerCommand, LedgerEntry } from '@gateway/contracts/ledger';
import { newId } from '@gateway/money';
import { BalanceReader } from '#src/statement/get-balance.ts';
import { readEntries } from '#src/statement/list-entries.ts';
import { adjust, creditDeposit, debitPayout } from './support/commands.ts';
import { startDirectLedger, type DirectLedger } from './support/direct-ledger.ts';

/** End of a month, so that the history lies in two partitions. */
const startMs = Date.UTC(2027, 0, 31, 23, 59, 50);
let nowMs = startMs;
let ledger: DirectLedger;
const accountId = newId('account');
const owner = { environment: 'test', accountId } as const;
let history: LedgerEntry[];

/** Six decisions, four seconds apart. */
beforeAll(async () => {
  ledger = await startDirectLedger(() => nowMs);
  const conversionId = newId('conversion');
  const steps: LedgerCommand[][] = [
    [creditDeposit(accountId), creditDeposit(newId('account'))],
    [debitPayout(accountId)],
    [creditDeposit(accountId, { currency: 'MXN' }), adjust(accountId, -7)],
    [
      {
        ...{ kind: 'convert', id: `convert:${conversionId}`, ...owner, currency: 'BRL', conversionId },
        ...{ amount: 5_000, targetCurrency: 'USDT', targetAmount: 900 },
      },
    ],
    [debitPayout(accountId, { amount: 1_000_000 })],
    [creditDeposit(accountId)],
  ];
  for (const step of steps) {
    await ledger.write(...step);
    nowMs += 4_000;
  }
  history = (await readEntries(ledger.database, { ...owner, limit: 200 })).entries;
});
afterAll(async () => await ledger[Symbol.asyncDispose]());

async function pages(request: Partial<Parameters<typeof readEntries>[1]>, limit: number): Promise<LedgerEntry[]> {
  const all: LedgerEntry[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await readEntries(ledger.database, { ...owner, limit, ...request, ...(cursor ? { cursor } : {}) });
    all.push(...page.entries);
    if (page.nextCursor === null) return all;
    cursor = page.nextCursor;
  }
}

describe('the statement', () => {
  test('is newest first, across currencies and months', () => {
    expect(history.map((entry) => [entry.type, entry.currency, entry.amount])).toEqual([
      ['DEPOSIT_NET', 'BRL', 9_900],
      ['CONVERSION', 'USDT', 900],
      ['CONVERSION', 'BRL', -5_000],
      ['ADJUSTMENT', 'BRL', -7],
      ['DEPOSIT_NET', 'MXN', 9_900],
      ['PAYOUT_FEE', 'BRL', -10],
      ['PAYOUT', 'BRL', -1_000],
      ['DEPOSIT_NET', 'BRL', 9_900],
    ]);
    expect(new Set(history.map((entry) => new Date(entry.createdAt * 1_000).getUTCMonth()))).toEqual(new Set([0, 1]));
  });

  test.each([1, 2, 3, 8, 9])('in pages of %i is the same statement', async (limit) => {
    expect(await pages({}, limit)).toEqual(history);
  });

  test.each([
    ['currency', { currency: 'BRL' }, (entry: LedgerEntry) => entry.currency === 'BRL'],
    ['type', { type: 'CONVERSION' }, (entry: LedgerEntry) => entry.type === 'CONVERSION'],
    ['both', { type: 'DEPOSIT_NET', currency: 'MXN' }, (entry: LedgerEntry) => entry.currency === 'MXN'],
  ] as const)('by %s shows exactly those entries, in pages too', async (_name, filter, keeps) => {
    expect(await pages(filter, 1)).toEqual(history.filter(keeps));
  });

  test('by record shows the entries of that record', async () => {
    const [deposit] = history;
    expect(await pages({ refId: deposit?.refId ?? '' }, 5)).toEqual([deposit]);
    expect(await pages({ refId: newId('deposit') }, 5)).toEqual([]);
  });

  test('by record shows no entry of another account', async () => {
    const [foreign] = await ledger.database.query<{ ref_id: string }>(
      'select ref_id from entry where account_id <> $1',
      [accountId],
    );
    expect(await pages({ refId: foreign?.ref_id ?? '' }, 5)).toEqual([]);
  });

  test('from (inclusive) and to (exclusive) cut at whole seconds', async () => {
    for (const { createdAt } of history) {
      const from = await pages({ from: createdAt }, 3);
      const to = await pages({ to: createdAt }, 3);
      expect(from).toEqual(history.filter((entry) => entry.createdAt >= createdAt));
      expect([...from, ...to]).toEqual(history);
    }
  });

  test('oldest first is the same statement from its end, in pages, periods and by any filter', async () => {
    const oldestFirst = history.toReversed();
    for (const limit of [1, 3, 8]) expect(await pages({ order: 'asc' }, limit)).toEqual(oldestFirst);
    const [oldest, , , , middle] = oldestFirst;
    const from = middle?.createdAt ?? 0;
    const later = oldestFirst.filter((entry) => entry.createdAt >= from);
    expect(await pages({ order: 'asc', from, cursor: oldest?.id ?? '' }, 2)).toEqual(later);
    expect(await pages({ order: 'asc', type: 'CONVERSION' }, 1)).toEqual(
      oldestFirst.filter((entry) => entry.type === 'CONVERSION'),
    );
    expect(await pages({ order: 'asc', refId: oldest?.refId ?? '' }, 1)).toEqual([oldest]);
  });

  test('ends at `to` whatever cursor it is read from', async () => {
    const [newest, , , middle] = history;
    const page = await readEntries(ledger.database, {
      ...{ ...owner, limit: 200, cursor: newest?.id ?? '' },
      to: middle?.createdAt ?? 0,
    });
    expect(page.entries).toEqual(history.filter((entry) => entry.createdAt < (middle?.createdAt ?? 0)));
  });

  test('keeps its pages while new entries arrive', async () => {
    const first = await readEntries(ledger.database, { ...owner, limit: 3 });
    await ledger.write(creditDeposit(accountId, { currency: 'MXN' }));
    const rest = await pages({ cursor: first.nextCursor ?? '' }, 3);
    expect([...first.entries, ...rest]).toEqual(history);
  });

  test.each([
    ['of another account', async () => (await otherEntry()).id],
    ['that does not exist', async () => Promise.resolve(newId('ledgerEntry'))],
    ['that is no id', async () => Promise.resolve('x')],
  ])('refuses a cursor %s, naming it', async (_what, cursor) => {
    const reading = readEntries(ledger.database, { ...owner, limit: 3, cursor: await cursor() });
    await expect(reading).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'cursor' }] });
  });

  test('of the other environment is empty', async () => {
    const { entries } = await readEntries(ledger.database, { ...owner, environment: 'live', limit: 3 });
    expect(entries).toEqual([]);
  });
});

async function otherEntry(): Promise<{ id: string }> {
  const [row] = await ledger.database.query<{ id: string }>('select id from entry where account_id <> $1', [accountId]);
  if (!row) throw new Error('there is another account');
  return row;
}

describe('the balance', () => {
  test('at every second is the running balance of the statement', async () => {
    for (const { createdAt } of history) {
      for (const at of [createdAt - 1, createdAt, createdAt + 1]) {
        const balances = await new BalanceReader(ledger.database).read({ ...owner, at });
        for (const { currency, available } of balances) {
          const latest = history.find((entry) => entry.currency === currency && entry.createdAt <= at);
          expect(available).toBe(latest?.balanceAfter ?? 0);
        }
      }
    }
  });

  test('of the past states nothing but what is available: there are no entries of the rest', async () => {
    const held = newId('account');
    await ledger.write(creditDeposit(held, { releaseAt: 2_000_000_000 }), creditDeposit(held, { amount: 500, fee: 0 }));
    const at = Math.floor(nowMs / 1_000);
    const reader = new BalanceReader(ledger.database);
    const known = { currency: 'BRL', available: 500 };
    expect(await reader.read({ environment: 'test', accountId: held, at })).toEqual([
      { ...known, pending: null, blocked: null },
    ]);
    expect(await reader.read({ environment: 'test', accountId: held })).toEqual([
      { ...known, pending: 9_900, blocked: 0 },
    ]);
  });

  test('in live and in test, read in the same context, are each their own', async () => {
    const both = newId('account');
    await ledger.write(creditDeposit(both, { amount: 700, fee: 0 }));
    await ledger.database.query(
      `insert into balance (environment, account_id, currency, available) values ('live', $1, 'BRL', 3)`,
      [both],
    );
    const reader = new BalanceReader(ledger.database);
    const read = async (environment: 'live' | 'test') => await reader.read({ environment, accountId: both });
    const balances = await Promise.all([read('live'), read('test')]);
    expect(balances).toMatchObject([[{ available: 3 }], [{ available: 700 }]]);
  });

  test('of an account that never operated is empty', async () => {
    expect(await new BalanceReader(ledger.database).read({ environment: 'test', accountId: newId('account') })).toEqual(
      [],
    );
  });

  test('does not show a currency that was only refused', async () => {
    const refused = newId('account');
    await ledger.write(debitPayout(refused, { currency: 'MXN' }));
    expect(await new BalanceReader(ledger.database).read({ environment: 'test', accountId: refused })).toEqual([]);
  });
});

test('partitions are made ahead: each month of writing has its own', async () => {
  const tables = await ledger.database.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'entry'::regclass order by 1`,
  );
  expect(tables.map((table) => table.name)).toEqual(['01', '02', '03', '04'].map((month) => `entry_2027_${month}`));
  const [january] = await ledger.database.query<{ count: number }>('select count(*) from entry_2027_01');
  expect(january?.count).toBeGreaterThan(0);
});
