import { expect, test } from 'vitest';
import { shownColumns, storedAs, viewIn } from '#src/records/stored-view.ts';

test('what is stored wrongly is how a list is shown at first', () => {
  const plain = { hidden: [], isCompact: false };
  for (const stored of [null, '', 'no', '[]', '{"hidden":7,"isCompact":"yes"}']) expect(viewIn(stored)).toEqual(plain);
  expect(viewIn('{"hidden":["Fee",3],"isCompact":true}')).toEqual({ hidden: ['Fee'], isCompact: true });
});

test('the column that names the record cannot be left out', () => {
  const column = (heading: string) => ({ heading });
  const columns = [column('Fee'), column('Amount')];
  const shown = shownColumns([column('Payout'), ...columns], { hidden: ['Payout', 'Fee'] });
  expect(shown.map(({ heading }) => heading)).toEqual(['Payout', 'Amount']);
});

test('the lists of a kind are looked at in one way, and those of another kind in their own', () => {
  expect(storedAs('deliveries whk_1')).toBe(storedAs('deliveries whk_2'));
  expect(storedAs('deliveries whk_1')).not.toBe(storedAs('deposits'));
});
