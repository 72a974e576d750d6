import { z } from 'zod';
import { environmentSchema } from '#src/values/environment.ts';
import { defineRpc, type ServiceName } from '#src/messages/define.ts';

/** What a service works off by itself: payouts and refunds under way, deliveries that wait to be sent, events not read yet. */
export const backlogKindSchema = z.enum(['payout', 'refund', 'delivery', 'event']);
export type BacklogKind = z.infer<typeof backlogKindSchema>;

const backlogCountSchema = z.object({
  kind: backlogKindSchema,
  /** Null for what belongs to neither: events of both wait in one table. */
  environment: environmentSchema.nullable(),
  count: z.int().nonnegative(),
});
export type BacklogCount = z.infer<typeof backlogCountSchema>;

/** Asks a service how much it has to work off at this moment; nothing of a kind is a count of 0. Every service answers it. */
export function backlogRpc(service: ServiceName) {
  return defineRpc({
    subject: `rpc.${service}.get-backlog.v1`,
    owner: service,
    request: z.object({}),
    reply: z.object({ backlog: z.array(backlogCountSchema) }),
  });
}
