import { PayoutProcessing } from '@gateway/contracts/payouts';
import { outboxRow, type OutboxRow } from '@gateway/persistence';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { payoutEvent } from '#src/payout/to-payout.ts';

/** Said the first time only: a payout that had to be sent again has been PROCESSING all along. */
export function processingEvent(payout: PayoutRow, at: Date): ((moved: PayoutRow) => OutboxRow) | undefined {
  if (payout.processingAt) return undefined;
  return (moved) => outboxRow(PayoutProcessing, payoutEvent(moved, at));
}
