import { expect, test } from 'vitest';
import { payoutFailureReasons } from '@gateway/contracts/payouts';
import { failureCodes } from '@gateway/providers';
import { turnedDown } from '#src/approval/turned-down.ts';
import { abandoned } from '#src/reservation/release-funds.ts';

test('every reason a payout can have is documented, and no other', () => {
  const reasons = [...Object.keys(failureCodes), ...Object.keys(turnedDown), abandoned.failureReason];
  expect(reasons.sort()).toEqual([...payoutFailureReasons].sort());
});
