import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { globalOptions } from '#src/command/command.ts';
import { candidatesFor } from '#src/command/completion.ts';
import { table } from '#src/commands/table.ts';
import { operations } from '#src/generated/operations.ts';
import { wordsOfOperations } from '#src/operations/words.ts';
import { version } from '#src/calls/version.ts';
import { minorUnitsOf, money } from '#src/output/money.ts';
import { eventNames } from '#src/triggers/recipes.ts';
import { newHome, runCli } from '../support/run-cli.ts';

const repository = join(import.meta.dirname, '../../../..');
const read = (file: string) => readFileSync(join(repository, file), 'utf8');

interface Described {
  readonly paths: Record<string, Record<string, { readonly operationId?: string }>>;
  readonly webhooks: Record<string, unknown>;
}

const described = (contract: string) => JSON.parse(read(`docs/api/openapi-${contract}.json`)) as Described;
const rows = table.map(({ words }) => words.join(' '));

describe('the command table', () => {
  test.each(['0.1', '1.0'])('has a row for every operation of contract %s, by its operationId', (contract) => {
    const ids = Object.values(described(contract).paths).flatMap((item) =>
      Object.values(item).flatMap(({ operationId }) => operationId ?? []),
    );
    expect(ids.length).toBeGreaterThan(50);
    for (const id of ids)
      expect([id, rows.includes((wordsOfOperations as Record<string, string>)[id] ?? '')]).toEqual([id, true]);
    expect(Object.keys(operations).sort()).toEqual(ids.sort());
  });

  test('has no words twice, no flag that hides one of every command, and a sentence for each', () => {
    expect(new Set(rows).size).toBe(rows.length);
    for (const { words, options, summary } of table) {
      const hiding = Object.keys(options).filter((name) => name in globalOptions);
      expect([words, hiding]).toEqual([words, []]);
      expect(summary.length).toBeGreaterThan(5);
    }
  });

  test('has a recipe for every event of the product', () => {
    expect([...eventNames].sort()).toEqual(Object.keys(described('0.1').webhooks).sort());
  });

  test('gives help for each of its rows, on standard output and with 0', async () => {
    using home = newHome();
    for (const { words } of table.filter(({ hidden }) => hidden !== true)) {
      const { code, stdout } = await runCli([...words, '--help'], home);
      expect([words, code]).toEqual([words, 0]);
      expect(stdout).toContain(`gateway ${words.join(' ')}`);
    }
    const { stdout } = await runCli([], home);
    expect(stdout).toContain('Exit codes');
    expect(stdout).not.toMatch(/sk_|whsec_[A-Za-z0-9]/);
  });

  test('completes nouns, verbs, flags, values and events', () => {
    const complete = (...typed: string[]) => candidatesFor(table, typed, () => ['shop', 'local']);
    expect(complete('dep')).toEqual(['deposits']);
    expect(complete('deposits', 'c')).toEqual(['create', 'cancel']);
    expect(complete('deposits', 'list', '--sta')).toEqual(['--status']);
    expect(complete('deposits', 'list', '--status', 'P')).toEqual(['PENDING', 'PAID']);
    expect(complete('trigger', 'med.')).toEqual(['med.opened', 'med.under_analysis', 'med.won', 'med.lost']);
    expect(complete('--profile', 's')).toEqual(['shop']);
    expect(complete('--profile', 'shop', 'pay')).toEqual(['payouts']);
    expect(complete('complet')).toEqual(['completion']);
  });

  test('is the version of its package and of its changelog', () => {
    expect(JSON.parse(read('sdks/cli/package.json'))).toMatchObject({
      version,
      dependencies: { '@gateway/sdk': '0.1.0' },
    });
    expect(read('sdks/cli/CHANGELOG.md')).toContain(`## ${version}\n`);
  });
});

describe('an amount', () => {
  test('is typed with a point or a comma, and never with a separator of thousands', () => {
    expect([minorUnitsOf('100.50'), minorUnitsOf('100,5'), minorUnitsOf('0.01'), minorUnitsOf('7')]).toEqual([
      10_050, 10_050, 1, 700,
    ]);
    for (const text of ['1.000', '1,000.50', '-1', '1e3', '', '.5', '100.505'])
      expect(() => minorUnitsOf(text)).toThrow('100.50');
  });

  test('is shown as people write it', () => {
    expect([money(10_050, 'BRL'), money(-5, 'MXN'), money(123_456_789, 'USDT')]).toEqual([
      'R$ 100,50',
      '-MX$ 0,05',
      'USDT 1.234.567,89',
    ]);
  });
});
