import type { NotificationFault, CallFault } from '#src/faults/fault.ts';

/** What a transfer of a magic amount or to a magic key comes to. */
export type TransferPlan =
  'paid' | 'refused' | 'key_not_found' | 'no_balance' | 'failed' | 'returned_in_parts' | 'returned' | 'held';

/** What happens to a charge of a magic amount by itself. */
export type ChargePlan = 'paid_at_once' | 'paid_late' | 'paid_twice' | 'paid_less';

/**
 * The table of magic amounts, in cents. Call faults strike the first call of a reference and no later one, so that a
 * retry or a lookup finds what really happened. They hold for charges, transfers and refunds alike.
 */
export const magicCallFaults: Readonly<Record<number, CallFault>> = {
  7000_01: 'timeout_before',
  7000_02: 'timeout_after',
  7000_03: 'error_before',
  7000_04: 'error_after',
  7000_05: 'reset_before',
  7000_06: 'reset_after',
  7000_07: 'duplicate',
  7000_08: 'slow',
  7000_09: 'nonsense',
  7000_10: 'throttled',
  7000_11: 'unauthorized',
};

/** Notifications about a payment, transfer or refund of this amount. */
export const magicNotificationFaults: Readonly<Record<number, NotificationFault>> = {
  7000_21: 'lost',
  7000_22: 'duplicated',
  7000_23: 'reordered',
};

export const magicCharges: Readonly<Record<number, ChargePlan>> = {
  7000_31: 'paid_at_once',
  7000_32: 'paid_late',
  7000_33: 'paid_twice',
  7000_34: 'paid_less',
};

/** Modelled on Efí's test environment: confirmed, rejected at once, rejected by notification, returned. */
const magicTransfers: Readonly<Record<number, TransferPlan>> = {
  7000_41: 'refused',
  7000_42: 'failed',
  7000_43: 'returned_in_parts',
  7000_44: 'returned',
  7000_45: 'held',
  7000_46: 'no_balance',
};

/** Refunds of this amount are accepted and then not carried out. */
export const magicRefundFailure = 7000_51;

/** Keys of type e-mail that stand for an outcome whatever the amount. */
export const magicKeys = {
  refuse: 'refuse@simulator.test',
  fail: 'fail@simulator.test',
  timeout: 'timeout@simulator.test',
  hold: 'hold@simulator.test',
  owner: 'owner@simulator.test',
} as const;

/** Holder of `owner@simulator.test`; every other key belongs to the person that is asked about. */
export const foreignOwner = { name: 'OUTRA PESSOA', document: '52998224725' } as const;

export function transferPlan(amount: number, key: string): TransferPlan {
  if (key === magicKeys.refuse) return 'key_not_found';
  if (key === magicKeys.fail) return 'failed';
  if (key === magicKeys.hold) return 'held';
  return magicTransfers[amount] ?? 'paid';
}
