import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generatorTools } from '@gateway/local-stack';
import { camtVersionSchema } from '@gateway/contracts/exports';
import type { Currency } from '@gateway/money';
import {
  camt053Format,
  csvFormat,
  noTotals,
  ofx102,
  ofx220,
  totalsAfter,
  type StatementFormat,
  type WrittenMovement,
} from '@gateway/statement-files/write';

/** What a program of others has read of a file. */
interface Read {
  readonly ids: readonly string[];
  readonly nets: readonly string[];
  /** The merchant's own ids, as far as the format has room for them. */
  readonly texts: readonly (string | null)[];
  readonly times?: readonly string[];
  readonly opening?: string;
  readonly closing: string | null;
  readonly currency: string | null;
}

/** The day of which the tests of the writers hold every byte: a deposit, a payout, its fee, a refund and a block. */
const fiveMovements = join(import.meta.dirname, '../packages/statement-files/test/unit/files');
const versions = camtVersionSchema.options;
const hostileTexts = [
  'a;b,c',
  '"quoted"',
  "<tag> & 'entity' &amp; ]]>",
  '😀 família José',
  '=1+1',
  'x'.repeat(120),
  'e\u0301'.repeat(40),
];

let directory: string;
let read: Readonly<Record<string, Readonly<Record<string, Read>>>>;

beforeAll(async () => {
  const { pythonPrograms } = await generatorTools();
  directory = mkdtempSync(join(tmpdir(), 'statement-readers-'));
  for (const [golden, name] of Object.entries(goldenFiles)) cpSync(join(fiveMovements, golden), join(directory, name));
  for (const [name, file] of Object.entries(writtenFiles())) writeFileSync(join(directory, name), file);
  const program = join(import.meta.dirname, 'readers/read_statements.py');
  read = JSON.parse(
    execFileSync(join(pythonPrograms, 'python'), ['-W', 'ignore', program, directory], { encoding: 'utf8' }),
  );
}, 300_000);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const goldenFiles = {
  'five-movements.csv': 'five.csv',
  'five-movements.ofx': 'five.ofx',
  'five-movements.ofx102': 'five-102.ofx',
  'five-movements.camt053': 'five.08.xml',
};

/** Names have the version of camt.053 before their ending. */
function writtenFiles(): Record<string, string> {
  const each = (name: string, currency: Currency, all: readonly WrittenMovement[]) => ({
    [`${name}.csv`]: fileOf(csvFormat({ raw: true }), currency, all),
    [`${name}.ofx`]: fileOf(ofx220, currency, all),
    [`${name}-102.ofx`]: fileOf(ofx102, currency, all),
    ...Object.fromEntries(
      versions.map((version) => [`${name}.${version}.xml`, fileOf(camt053Format({ version }), currency, all)]),
    ),
  });
  const hostile = hostileTexts.map((externalId, place) => movement(place, { externalId, e2eId: 'E'.padEnd(64, '7') }));
  return {
    ...each('hostile', 'BRL', hostile),
    ...each('empty', 'BRL', []),
    ...each('pesos', 'MXN', [movement(0), movement(1, { net: -1_999, type: 'PAYOUT' })]),
    ...each('dollars', 'USDT', [movement(0)]),
  };
}

function movement(place: number, members: Partial<WrittenMovement> = {}): WrittenMovement {
  return {
    entryId: `led_01kb00000000000000000000${String(place + 1).padStart(2, '0')}`,
    bookedAtMs: Date.parse('2026-11-20T12:00:05.120Z') + place,
    ...{ type: 'DEPOSIT_NET', recordId: 'dep_01kb0000000000000000000001', externalId: 'order-1', e2eId: null },
    ...{ gross: 10_000, fee: 150, net: 9_850, balanceAfter: 109_850, counterparty: null },
    ...members,
  };
}

function fileOf(format: StatementFormat, currency: Currency, movements: readonly WrittenMovement[]): string {
  const totals = totalsAfter(noTotals, movements);
  const period = { fromMs: Date.parse('2026-11-20T03:00:00Z'), toMs: Date.parse('2026-11-21T03:00:00Z') };
  const header = {
    ...{ id: 'exp_01kb0000000000000000000001', number: 1, createdAtMs: period.toMs, currency },
    account: { id: 'acc_01kb0000000000000000000001', name: 'LOJA', document: '12345678000195' },
    period: { ...period, zone: 'America/Sao_Paulo' },
    ...{ opening: 100_000, closing: 100_000 + totals.credits - totals.debits },
  };
  return format.begin(header) + format.movements(header, movements, noTotals) + format.end(header, totals);
}

const amounts = ({ nets }: Read) => nets.map(Number);
const characters = (count: number) => hostileTexts.map((text) => Array.from(text).slice(0, count).join(''));

const readersOf = {
  'five.csv': ['csv'],
  'five.ofx': ['ofxtools', 'ofxparse'],
  'five-102.ofx': ['ofxtools', 'ofxparse'],
  'five.08.xml': ['xmlschema', 'pyiso20022', 'pycamt'],
};

describe.each(Object.entries(readersOf))('five movements in %s', (file, readers) => {
  test.each(readers)('are read by %s with the same ids, sums, currency and balance', (reader) => {
    const found = read[file]![reader]!;
    expect(found.ids).toEqual([1, 2, 3, 4, 5].map((number) => `led_01kb000000000000000000000${number}`));
    expect(amounts(found)).toEqual([98.5, -50, -1, -25, -30]);
    expect([Number(found.closing), found.currency]).toEqual([992.5, 'BRL']);
    expect(found.texts).toEqual(['order-1001', 'saque-77', 'saque-77', 'refund-9', 'order-1001']);
    if (found.opening !== undefined) expect(Number(found.opening)).toBe(1_000);
    const times = found.times?.map((time) => Date.parse(time));
    if (times) expect(times[0]).toBe(Date.parse('2026-11-20T12:00:05.120Z'));
  });
});

test.each(versions)('every file in camt.053.001.%s is valid against its schema', (version) => {
  for (const [name, count] of [
    ['hostile', hostileTexts.length],
    ['empty', 0],
    ['pesos', 2],
    ['dollars', 1],
  ] as const) {
    expect(read[`${name}.${version}.xml`]!['xmlschema']!.ids, name).toHaveLength(count);
  }
});

test('names with separators, markup, emoji and a leading = are read back as far as the format has room', () => {
  expect(read['hostile.csv']!['csv']!.texts).toEqual(hostileTexts);
  for (const file of ['hostile.ofx', 'hostile-102.ofx']) {
    for (const [reader, found] of Object.entries(read[file]!)) {
      expect(found.texts, `${file} by ${reader}`).toEqual(characters(32));
    }
  }
  for (const [reader, found] of Object.entries(read['hostile.08.xml']!)) {
    expect(found.texts, reader).toEqual(characters(35));
  }
});

test('an empty day has its balance, and money of another currency its own', () => {
  const all = (name: string) =>
    Object.entries(read).flatMap(([file, readers]) => (file.startsWith(name) ? Object.values(readers) : []));
  for (const found of all('empty')) {
    expect(found.ids).toEqual([]);
    if (found.closing !== null) expect(Number(found.closing)).toBe(1_000);
  }
  for (const found of all('pesos')) expect([amounts(found), found.currency]).toEqual([[98.5, -19.99], 'MXN']);
});
