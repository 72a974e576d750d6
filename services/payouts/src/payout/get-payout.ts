import type { getPayout as contract, ReplyOf, RequestOf } from '@gateway/contracts';
import type { Dependencies } from '#src/dependencies.ts';
import { findPayout } from '#src/payout/find-payout.ts';
import { toPayout } from '#src/payout/to-payout.ts';

export async function getPayout(
  { database }: Dependencies,
  request: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  return { payout: toPayout(await findPayout(database, request)) };
}
