import { expect, test } from 'vitest';
import { readPayoutRows } from '#src/merchants/payouts/payout-rows.ts';

const heading = 'external_id;amount;key;name;document';

test('a file as spreadsheets in Brazil write it is read as the payouts that it means', () => {
  const file = `\uFEFF${heading}\r\nsalary-1;1.234,56;maria@example.com;"Silva; Maria";529.982.247-25\r\n`;
  expect(readPayoutRows(file)).toMatchObject([
    {
      line: 2,
      faults: [],
      payout: {
        external_id: 'salary-1',
        amount: 123_456,
        payout_key: 'maria@example.com',
        payout_key_type: 'email',
        recipient: { name: 'Silva; Maria', document: '529.982.247-25' },
      },
    },
  ]);
});

test('a file without a heading has its columns in their order, and a key type that is named counts', () => {
  const [row] = readPayoutRows('a-1,10.00,11987654321,Maria,52998224725,phone\n');
  expect(row?.payout).toMatchObject({ amount: 1_000, payout_key_type: 'phone' });
});

test('a row with a fault is no payout, and says what is wrong with it; a reference twice is wrong the second time', () => {
  const file = `${heading}\nok;1;maria@example.com;Maria;52998224725\nok;1;maria@example.com;Maria;52998224725\n;x;;;12\n`;
  expect(readPayoutRows(file).map(({ faults, payout }) => [payout !== undefined, faults])).toEqual([
    [true, []],
    [false, ['twice']],
    [false, ['externalId', 'amount', 'key', 'name', 'document']],
  ]);
});

test('a file of nothing has no rows', () => {
  expect([readPayoutRows(''), readPayoutRows(`${heading}\n\n`)]).toEqual([[], []]);
});
