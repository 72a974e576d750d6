import { z } from 'zod';
import { currencySchema, idSchema, minorUnitsSchema } from '@gateway/money';
import { defineRpc } from '#src/messages/define.ts';
import { environmentSchema } from '#src/values/environment.ts';

/** An adjustment as it was proposed, and the operators whose acts the audit trail has. */
const auditedAdjustmentSchema = z.object({
  /**
   * Of an adjustment that resolves an exception, the id of the exception: its command is named after it. Of a transfer of our
   * own the id of its line, or of the approval.
   */
  id: z.string(),
  /** Of the command that it is booked by, and no other; null from a gateway of an earlier version. */
  kind: z.enum(['adjust', 'own-funds']).nullable().default(null),
  environment: environmentSchema,
  accountId: idSchema('account'),
  currency: currencySchema,
  /** Signed, in minor units. */
  amount: minorUnitsSchema,
  proposedBy: z.string().nullable(),
  approvedBy: z.string().nullable(),
});
export type AuditedAdjustment = z.infer<typeof auditedAdjustmentSchema>;

/** Adjustments of some ids by what the audit trail says of them. One without a record is left out. */
export const getAuditedAdjustments = defineRpc({
  subject: 'rpc.api-gateway.get-audited-adjustments.v1',
  owner: 'api-gateway',
  callers: ['reconciler'],
  request: z.object({ ids: z.array(z.string()).max(200) }),
  reply: z.object({ adjustments: z.array(auditedAdjustmentSchema) }),
});
