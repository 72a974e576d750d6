import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Environment } from '@gateway/contracts/values';
import type { Currency } from '@gateway/money';
import type { AdjustmentResource } from '@gateway/public-api';

/** A correction of one balance, proposed by one operator and approved by another. */
export const AdjustmentEntity = defineEntity({
  name: 'Adjustment',
  tableName: 'adjustment',
  properties: {
    id: p.string().primary(),
    accountId: p.string(),
    environment: p.string().$type<Environment>(),
    currency: p.string().$type<Currency>(),
    /** Signed, in minor units. */
    amount: p.bigint('number'),
    reason: p.string(),
    externalId: p.string(),
    /** REFUSED: the ledger would not carry it out; propose another. */
    status: p.string().$type<AdjustmentResource['status']>(),
    proposedBy: p.string(),
    approvedBy: p.string().nullable(),
    /** Null until it is approved. */
    approvedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    decidedAt: p.datetime().nullable(),
  },
});
export type AdjustmentEntity = InferEntity<typeof AdjustmentEntity>;

export function presentAdjustment(adjustment: AdjustmentEntity): AdjustmentResource {
  return {
    id: adjustment.id,
    object: 'adjustment',
    account_id: adjustment.accountId,
    environment: adjustment.environment,
    currency: adjustment.currency,
    amount_cents: adjustment.amount,
    reason: adjustment.reason,
    external_id: adjustment.externalId,
    status: adjustment.status,
    proposed_by: adjustment.proposedBy,
    approved_by: adjustment.approvedBy ?? null,
    created_at: Math.floor(adjustment.createdAt.getTime() / 1_000),
    decided_at: adjustment.decidedAt ? Math.floor(adjustment.decidedAt.getTime() / 1_000) : null,
  };
}
