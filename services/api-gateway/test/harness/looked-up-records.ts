import { lookUpDeposit, lookUpReturn } from '@gateway/contracts/deposits';
import { lookUpPayout } from '@gateway/contracts/payouts';
import { answering, type RpcRoute } from '@gateway/messaging';
import type { OperationTable, WhenAsked } from './changing-services.ts';
import { operatorDepositOf, operatorPayoutOf } from './records.ts';
import { operatorRefundOf, orphanReceiptOf } from './returned-money.ts';

const deposit = operatorDepositOf({});
const payout = operatorPayoutOf({ status: 'PROCESSING' });
const refund = operatorRefundOf({ status: 'PROCESSING' });
const receipt = orphanReceiptOf({});

/** What providers say when operators ask. */
export function lookedUpRecords(whenAsked: WhenAsked): RpcRoute[] {
  return [
    answering(lookUpDeposit, async () => {
      await whenAsked();
      return { before: { ...deposit, status: 'PENDING' as const }, deposit: { ...deposit, status: 'PAID' as const } };
    }),
    answering(lookUpPayout, async () => {
      await whenAsked();
      return { before: payout, payout: { ...payout, status: 'PAID' as const } };
    }),
    answering(lookUpReturn, async ({ kind }) => {
      await whenAsked();
      if (kind === 'refund') return { kind, before: refund, after: { ...refund, status: 'DONE' as const } };
      return { kind, before: receipt, after: { ...receipt, state: 'RETURNED' as const } };
    }),
  ];
}

/** The services that are asked record what their providers say. */
export const lookUpOperations: OperationTable = {
  'POST /ops/deposits/:id/look-up': () => ({
    ...{ path: `/ops/deposits/${deposit.id}/look-up`, action: 'deposit.look-up' },
    ...{ before: { status: 'PENDING' }, after: { status: 'PAID' } },
  }),
  'POST /ops/payouts/:id/look-up': () => ({
    ...{ path: `/ops/payouts/${payout.id}/look-up`, action: 'payout.look-up' },
    ...{ before: { status: 'PROCESSING' }, after: { status: 'PAID' } },
  }),
  'POST /ops/refunds/:id/look-up': () => ({
    ...{ path: `/ops/refunds/${refund.id}/look-up`, action: 'refund.look-up' },
    ...{ before: { status: 'PROCESSING' }, after: { status: 'DONE' } },
  }),
  'POST /ops/orphan-receipts/:id/look-up': () => ({
    ...{ path: `/ops/orphan-receipts/${receipt.id}/look-up`, action: 'orphan-receipt.look-up' },
    ...{ before: { state: 'RETURNING' }, after: { state: 'RETURNED' } },
  }),
};
