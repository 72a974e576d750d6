import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { getPayout as contract } from '@gateway/contracts/payouts';
import type { Dependencies } from '#src/dependencies.ts';
import { findPayout } from '#src/payout/find-payout.ts';
import { publicStatus } from '#src/payout/life-cycle.ts';
import { toPayout } from '#src/payout/to-payout.ts';

/** One whose creation has not come to an end is PROCESSING: money may have moved, and whether it goes its way is open. */
export async function getPayout(
  { database }: Dependencies,
  request: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const payout = await findPayout(database, request);
  const isVisible = publicStatus(payout.state) !== null;
  return { payout: toPayout(isVisible ? payout : { ...payout, state: 'PROCESSING' }) };
}
