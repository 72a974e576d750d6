import { z } from 'zod';
import { defineRpc, type ServiceName } from '#src/messages/define.ts';

const healthReplySchema = z.object({
  /** The service has started and all its dependencies answer. */
  ready: z.boolean(),
  checks: z.record(z.string(), z.enum(['ok', 'failing'])),
});

/** Asks a service whether it can do its work; every service answers it. */
export function healthRpc(service: ServiceName) {
  return defineRpc({
    subject: `rpc.${service}.get-health.v1`,
    owner: service,
    request: z.object({}),
    reply: healthReplySchema,
  });
}
