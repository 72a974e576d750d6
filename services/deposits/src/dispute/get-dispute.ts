import type { getDispute as contract, ReplyOf, RequestOf } from '@gateway/contracts';
import type { Dependencies } from '#src/dependencies.ts';
import { findDispute } from '#src/dispute/find-dispute.ts';
import { toDispute } from '#src/dispute/to-dispute.ts';

export async function getDispute(
  { database }: Dependencies,
  request: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  return { dispute: toDispute(await findDispute(database, request)) };
}
