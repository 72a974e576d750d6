import type { OperatorPayout } from '@gateway/contracts/payouts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { toPayout } from '#src/payout/to-payout.ts';

/** The record as operators see it. @throws Error for a record that is invisible */
export function toOperatorPayout(row: PayoutRow): OperatorPayout {
  return {
    ...toPayout(row),
    provider: row.provider,
    reference: row.reference,
    providerRef: row.providerRef ?? null,
    lookups: row.lookups,
    attentionAt: row.attentionAt?.toISOString() ?? null,
    attentionReason: row.attentionReason ?? null,
    decidedBy: row.decidedBy ?? null,
    decisionReason: row.decisionReason ?? null,
    // Those from before there were approvals have no id of one.
    resolution: row.resolution ? { ...row.resolution, approvalId: row.resolution.approvalId ?? null } : null,
  };
}
