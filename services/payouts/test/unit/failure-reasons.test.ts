import { expect, test } from 'vitest';
import { payoutFailureReasons } from '@gateway/contracts/payouts';
import { failureCodes } from '@gateway/providers';
import { abandoned } from '#src/payout/failure-reasons.ts';

test('every reason a payout can have is documented, and no other', () => {
  const reasons = [
    ...Object.keys(failureCodes),
    'canceled_by_merchant',
    'refused_by_operator',
    abandoned.failureReason,
  ];
  expect(reasons.sort()).toEqual([...payoutFailureReasons].sort());
});
