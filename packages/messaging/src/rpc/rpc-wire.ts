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

/** What an answer with data begins with, as its sender writes it; behind the data one brace closes it. */
const beforeData = Buffer.from('{"ok":true,"data":');

/** The bytes of an answer's data, or undefined where it is a refusal or was written in another way. */
export function dataBytesOf(answer: Uint8Array): Uint8Array | undefined {
  return beforeData.equals(answer.subarray(0, beforeData.length)) ? answer.subarray(beforeData.length, -1) : undefined;
}
