import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '@gateway/test-kit';
import type { DescribedClient } from './described-client.ts';
import type { Json } from './merchant-client.ts';
import { verifiers, verify } from './verifiers.ts';

type Call = ReturnType<DescribedClient['as']>;

/**
 * What a merchant reads of the statement and of its proof, once a reconciliation has signed a checkpoint. Each of the programs
 * that merchants are given verifies the receipts of all its entries, as this ledger has written them, against the statement.
 */
export async function readProvenStatement(call: Call, operator: Call): Promise<void> {
  await call('GET /v1/transactions', undefined, { accept: 'text/csv' });
  const { body: statement } = await call('GET /v1/transactions?limit=100');
  const entries: Json[] = statement.data;
  expect(new Set(entries.map(({ type }) => type)).size).toBeGreaterThan(5);
  await operator('POST /ops/reconciliations');
  const receipts = await eventually(
    async () => {
      const answers = await Promise.all(entries.map(({ id }) => call(`GET /v1/transactions/${id}/receipt`)));
      expect(answers.map(({ status }) => status)).toEqual(entries.map(() => 200));
      // Of one checkpoint: nothing more is to be shown of a ledger that has grown between them.
      expect(new Set(answers.map(({ text }) => checkpointIn(text))).size).toBe(1);
      return answers.map(({ text }) => text);
    },
    { everyMs: 500 },
  );
  const keys: Json[] = (await call('GET /v1/proof/keys')).body.data;
  await call('GET /v1/proof/consistency?from=1');
  const directory = mkdtempSync(join(tmpdir(), 'proven-statement-'));
  try {
    writeFileSync(join(directory, 'vkey.txt'), keys.map(({ key }) => `${key}\n`).join(''));
    writeFileSync(join(directory, 'statement.json'), JSON.stringify(statement));
    const names = receipts.map((text, place) => {
      writeFileSync(join(directory, `${place}.tlog-proof`), text);
      return `${place}.tlog-proof`;
    });
    const args = ['--key', 'vkey.txt', '--records', 'statement.json', '--complete', ...names];
    for (const program of await verifiers(directory)) {
      const { code, lines } = verify(program, directory, args);
      expect([code, lines.filter((line) => /^(?:FALSE|UNPROVEN)/.test(line))], program.language).toEqual([0, []]);
      for (const { id, type, amount_cents: amount, balance_after_cents: balance } of entries) {
        const shown = lines.find((line) => line.startsWith(`${id}: `));
        expect(shown, program.language).toMatch(new RegExp(`, ${type} ${amount} BRL for .*, balance ${balance}$`));
      }
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const checkpointIn = (receipt: string): string =>
  receipt.slice(receipt.lastIndexOf('\n\n', receipt.indexOf('/ledger/')));
