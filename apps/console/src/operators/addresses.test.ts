import { expect, test } from 'vitest';
import {
  approvalFilters,
  depositFilters,
  disputeFilters,
  exceptionFilters,
  payoutFilters,
  refundFilters,
} from '#src/operators/addresses.ts';

test('an address keeps the filters that a list has, and drops all else', () => {
  const given = { status: 'PENDING', attention: true, external_id: 1001, cursor: '', page: 'x', account_id: ['a'] };
  expect(payoutFilters(given)).toEqual({ status: 'PENDING', attention: 'true', external_id: '1001', cursor: '' });
  expect(payoutFilters({ attention: 'false' })).toEqual({});
  const narrowed = { kind: 'SETTLEMENT', recipient_document: '52998224725', pix_key: 'maria@example.com' };
  expect(payoutFilters({ ...narrowed, payer_document: '1' })).toEqual(narrowed);
  expect(depositFilters({ payer_document: 52998224725, pix_key: 'x' })).toEqual({ payer_document: '52998224725' });
  expect(approvalFilters({ state: 'PROPOSED', q: 'x' })).toEqual({ state: 'PROPOSED' });
  expect(refundFilters({ deposit_id: 'dep_1', attention: 'true', q: 1 })).toEqual({
    deposit_id: 'dep_1',
    attention: 'true',
  });
  expect(disputeFilters({ due_before: 1_795_176_000, status: 'OPEN' })).toEqual({
    due_before: 1_795_176_000,
    status: 'OPEN',
  });
  expect(disputeFilters({ due_before: 'soon' })).toEqual({});
  expect(exceptionFilters({ status: 'OPEN', attention: true })).toEqual({ status: 'OPEN' });
});
