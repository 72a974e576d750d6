import { z } from 'zod';
import { environmentSchema } from '#src/values/environment.ts';
import { defineRpc, type ServiceName } from '#src/messages/define.ts';

/** What waits for a person, by what it is. */
export const attentionKindSchema = z.enum([
  'payout_stuck',
  'payout_approval',
  'refund_stuck',
  'orphan_receipt_stuck',
  'dispute_stuck',
  'dispute_due',
  'provider_difference',
  'unread_item',
  'exception',
  'approval',
  'dead_letter',
]);
export type AttentionKind = z.infer<typeof attentionKindSchema>;

const waitingSchema = z.object({
  kind: attentionKindSchema,
  /** Null for what belongs to neither, such as a dead letter. */
  environment: environmentSchema.nullable(),
  count: z.int().positive(),
  /** Unix seconds, since when the oldest of them waits. */
  oldestAt: z.int(),
});
export type Waiting = z.infer<typeof waitingSchema>;

/** Asks a service what of its own waits for an operator; what nothing waits of is left out. Every service answers it. */
export function attentionRpc(service: ServiceName) {
  return defineRpc({
    subject: `rpc.${service}.get-attention.v1`,
    owner: service,
    request: z.object({}),
    reply: z.object({ waiting: z.array(waitingSchema) }),
  });
}
