import { expect, test } from 'vitest';
import { partsOf } from '#src/reconciliation/describe-finding.ts';

const deposit = 'dep_01k9z3m4v6t8x0a2c4e6g8jk02';
const account = 'acc_01k9z3m4v6t8x0a2c4e6g8jk01';

test('the records that a finding names lead to their pages, and its words stay as they are', () => {
  expect(partsOf(`${deposit}: refunded 300 is remembered, 200 follows`, ['efi'])).toEqual([
    { text: deposit, leadsTo: 'deposit' },
    { text: ': refunded 300 is remembered, 200 follows' },
  ]);
  expect(partsOf(`live ${account} available BRL: balance 1, postings 2`, [])).toEqual([
    { text: 'live ' },
    { text: account, leadsTo: 'account' },
    { text: ' available BRL: balance 1, postings 2' },
  ]);
});

test('a provider is linked by its whole name alone', () => {
  const text = 'efi BRL: the provider holds 50 less than the books explain, since 1; efi-two and refi are others';
  expect(partsOf(text, ['efi'])).toEqual([{ text: 'efi', leadsTo: 'provider' }, { text: text.slice('efi'.length) }]);
});

test('what is no record of the console stays text', () => {
  const text = 'result 17: postings add up to 3 BRL (led_01k9z3m4v6t8x0a2c4e6g8jk01)';
  expect(partsOf(text, ['efi'])).toEqual([{ text }]);
});
