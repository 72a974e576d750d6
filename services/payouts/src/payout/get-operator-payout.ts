import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { getOperatorPayout as contract } from '@gateway/contracts/payouts';
import type { Dependencies } from '#src/dependencies.ts';
import { findPayoutById } from '#src/payout/find-payout.ts';
import { toOperatorPayout } from '#src/payout/to-operator-payout.ts';

/** @throws NotFoundError also for one not visible yet */
export async function getOperatorPayout(
  { payouts }: Dependencies,
  { id }: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  return { payout: toOperatorPayout(await findPayoutById(payouts, id)) };
}
