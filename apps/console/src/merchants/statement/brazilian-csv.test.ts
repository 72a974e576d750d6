import { expect, test } from 'vitest';
import { brazilianCsv } from '#src/merchants/statement/brazilian-csv.ts';

test('a statement opens in a spreadsheet set to Brazil: semicolons, decimal commas, accents, and names with marks whole', () => {
  const file = 'external_id,counterparty_name,net\norder-1,"Silva, João; filho",-1234.50\n1001,"Maria ""Bia""",12\n';
  expect(brazilianCsv(file)).toBe(
    '\uFEFFexternal_id;counterparty_name;net\r\norder-1;"Silva, João; filho";-1234,50\r\n1001;"Maria ""Bia""";12\r\n',
  );
});
