import { z } from 'zod';
import { wireErrorSchema } from '@gateway/contracts/errors';

/** How long the caller still waits, in milliseconds: relative, since the clocks of two machines differ. */
export const timeoutHeader = 'Gateway-Timeout-Ms';

/** The envelope of every answer. */
export const rpcReplySchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), data: z.unknown() }),
  z.object({ ok: z.literal(false), error: wireErrorSchema }),
]);
export type RpcReply = z.infer<typeof rpcReplySchema>;
