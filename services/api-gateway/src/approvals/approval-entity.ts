import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Environment } from '@gateway/contracts/values';
import type { ApprovalKind, ApprovalState } from '@gateway/public-api';

/** A change proposed by one operator, for another to decide. */
export const ApprovalEntity = defineEntity({
  name: 'Approval',
  tableName: 'approval',
  properties: {
    id: p.string().primary(),
    kind: p.string().$type<ApprovalKind>(),
    environment: p.string().$type<Environment>().nullable(),
    accountId: p.string().nullable(),
    target: p.string(),
    request: p.json<Record<string, unknown>>(),
    before: p.json<Record<string, unknown>>().nullable(),
    reason: p.string().nullable(),
    state: p.string().$type<ApprovalState>(),
    proposedBy: p.string(),
    approvedBy: p.string().nullable(),
    decidedBy: p.string().nullable(),
    decisionReason: p.string().nullable(),
    decisionRequestId: p.string().nullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    decidedAt: p.datetime().nullable(),
    /** When carrying it out was begun last; whoever finds it long ago begins again. */
    attemptedAt: p.datetime().nullable(),
    outcome: p.json<Record<string, unknown>>().nullable(),
    failure: p.json<{ readonly code: string; readonly message: string }>().nullable(),
  },
});
export type ApprovalEntity = InferEntity<typeof ApprovalEntity>;
