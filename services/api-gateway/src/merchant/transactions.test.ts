import { expect, test } from 'vitest';
import type { LedgerEntry } from '@gateway/contracts/ledger';
import { newId } from '@gateway/money';
import { statementCsv, statementPageEntries } from '#src/merchant/transactions.ts';

const entry: LedgerEntry = {
  id: newId('ledgerEntry'),
  environment: 'live',
  accountId: newId('account'),
  type: 'PAYOUT',
  currency: 'BRL',
  amount: -1_000,
  refType: 'payout',
  refId: newId('payout'),
  balanceAfter: 5,
  createdAt: 1_767_000_000,
};
const page = { entries: Array.from({ length: statementPageEntries }, () => entry), nextCursor: entry.id };

test('a statement is read no further than its receiver takes it', async () => {
  let pagesRead = 0;
  const stream = statementCsv('0.1', page, async () => {
    pagesRead += 1;
    return page;
  });
  let chunksTaken = 0;
  for await (const chunk of stream) {
    expect(String(chunk)).toContain(entry.id);
    chunksTaken += 1;
    expect(pagesRead).toBeLessThanOrEqual(chunksTaken + 2);
    if (chunksTaken === 50) break;
  }
  expect(stream.destroyed).toBe(true);
  expect(pagesRead).toBeLessThanOrEqual(52);
});

test('a statement without entries is its head line', async () => {
  const stream = statementCsv('0.1', { entries: [], nextCursor: null }, async () => page);
  const text = (await stream.toArray()).join('');
  expect(text).toBe('id,type,amount_cents,currency,ref_type,ref_id,balance_after_cents,created_at\n');
});
