import { expect, test } from 'vitest';
import { searchQueries } from '#src/merchants/search/search-queries.ts';

test('an end-to-end id is searched as one, anything else as a reference, and what can be a document as that too', () => {
  const e2e = 'E12345678202601021100abcdefghijk';
  expect(searchQueries(e2e)).toEqual({ payments: [{ e2e_id: e2e }], payouts: [{ e2e_id: e2e }] });
  expect(searchQueries('order-1001').payouts).toEqual([{ external_id: 'order-1001' }]);
  expect(searchQueries('529.982.247-25')).toEqual({
    payments: [{ external_id: '529.982.247-25' }, { payer_document: '52998224725' }],
    payouts: [{ external_id: '529.982.247-25' }, { recipient_document: '52998224725' }],
  });
  expect(searchQueries('2026-1').payments).toEqual([{ external_id: '2026-1' }]);
});
