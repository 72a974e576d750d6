import { z } from 'zod';
import { defineRpc, type ServiceName } from '#src/messages/define.ts';

const consumerLagSchema = z.object({
  stream: z.string(),
  /** The name of the durable consumer, which the replicas of the service share. */
  consumer: z.string(),
  /** Messages that it has not handled; null while the broker has not answered. */
  waiting: z.int().nonnegative().nullable(),
});
export type ConsumerLag = z.infer<typeof consumerLagSchema>;

/**
 * Asks a service how far its messages are behind: its own that are not on the bus yet, and those of others that it has not
 * handled, up to 15 seconds old. Every service answers it.
 */
export function messageLagRpc(service: ServiceName) {
  return defineRpc({
    subject: `rpc.${service}.get-message-lag.v1`,
    owner: service,
    request: z.object({}),
    reply: z.object({
      /** Rows of its outbox that are not published, or that a reader has not read within its time. */
      unpublished: z.int().nonnegative(),
      consumers: z.array(consumerLagSchema),
    }),
  });
}
