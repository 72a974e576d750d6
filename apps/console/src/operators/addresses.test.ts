import { expect, test } from 'vitest';
import { approvalFilters, payoutFilters } from '#src/operators/addresses.ts';

test('an address keeps the filters that a list has, and drops all else', () => {
  const given = { status: 'PENDING', attention: true, external_id: 1001, cursor: '', page: 'x', account_id: ['a'] };
  expect(payoutFilters(given)).toEqual({ status: 'PENDING', attention: 'true', external_id: '1001', cursor: '' });
  expect(payoutFilters({ attention: 'false' })).toEqual({});
  expect(approvalFilters({ state: 'PROPOSED', q: 'x' })).toEqual({ state: 'PROPOSED' });
});
