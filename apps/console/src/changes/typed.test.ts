import { expect, test } from 'vitest';
import { allOf, amountIn, linesIn, oneOf, textIn } from '#src/changes/typed.ts';

function typed(...pairs: readonly (readonly [string, string])[]): FormData {
  const form = new FormData();
  for (const [name, value] of pairs) form.append(name, value);
  return form;
}

test('what was typed is read without its edges, and an amount in any usual form', () => {
  const form = typed(['reason', '  because '], ['amount', 'R$ 1.234,56'], ['empty', ''], ['zero', '0,00']);
  expect(textIn(form, 'reason')).toBe('because');
  expect(textIn(form, 'other')).toBe('');
  expect(amountIn(form, 'amount', 'BRL')).toBe(123_456);
  expect(amountIn(form, 'empty', 'BRL')).toBeNull();
  expect(amountIn(form, 'zero', 'BRL')).toBe(0);
});

test('what a field does not offer is never sent', () => {
  const form = typed(['level', 'everything'], ['role', 'duty'], ['role', 'owner']);
  expect(() => oneOf(form, 'level', ['payouts', 'writes'])).toThrow('level: everything');
  expect(allOf(form, 'role', ['support', 'duty'])).toEqual(['duty']);
  expect(linesIn(typed(['ips', '10.0.0.1\n\n 10.0.0.2, 10.0.0.3']), 'ips')).toEqual([
    '10.0.0.1',
    '10.0.0.2',
    '10.0.0.3',
  ]);
});
