import { feeOf } from '@gateway/money';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';

/** The fee follows the money that came (api.md 5), by the account's fees as they were when the deposit was created. */
export function feeOfReceived({ fee, feeSchedule }: Pick<DepositRow, 'fee' | 'feeSchedule'>, amount: number): number {
  return feeSchedule ? feeOf(amount, feeSchedule) : fee;
}
