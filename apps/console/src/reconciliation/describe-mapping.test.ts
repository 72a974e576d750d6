import { expect, test } from 'vitest';
import { mappingIn } from '#src/reconciliation/describe-mapping.ts';

const typed = (changes: Record<string, string> = {}) => {
  const form = new FormData();
  const filled = {
    ...{ encoding: 'latin-1', delimiter: 'tab', header_line: '3', date: 'Data', date_format: 'DD/MM/YYYY' },
    ...{ zone: 'America/Sao_Paulo', amount: 'Valor', decimal: ',', sign: '', currency: 'BRL' },
    ...{ id: '', type: '', text: 'Histórico', e2e: '', balance: '' },
    ...changes,
  };
  for (const [name, value] of Object.entries(filled)) form.set(name, value);
  return mappingIn(form, ['BRL', 'MXN']);
};

test('a column that is left empty is none, and the amount has its sign itself', () => {
  expect(typed()).toEqual({
    ...{ encoding: 'latin-1', delimiter: '\t', header_line: 3, currency: 'BRL' },
    date: { column: 'Data', format: 'DD/MM/YYYY', zone: 'America/Sao_Paulo' },
    amount: { column: 'Valor', decimal: ',', sign: 'amount' },
    ...{ id: null, type: null, text: 'Histórico', e2e: null, balance: null },
  });
});

test('a column with the direction has what it says for money that came and that went', () => {
  const { amount, e2e } = typed({ sign: 'D/C', credit: 'C\nCR', debit: 'D', e2e: 'Id' });
  expect(amount.sign).toEqual({ column: 'D/C', credit: ['C', 'CR'], debit: ['D'] });
  expect(e2e).toEqual({ column: 'Id' });
});
