import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { abandonCreation as contract } from '@gateway/contracts/payouts';
import type { Dependencies } from '#src/dependencies.ts';
import { CreationUnderWayError } from '#src/errors.ts';
import { publicStatus } from '#src/payout/life-cycle.ts';
import { toPayout } from '#src/payout/to-payout.ts';

/** The call that creates it may win the race for its record once or twice; then it is visible. */
const attemptsMax = 5;

/**
 * For a caller who was not answered: "nothing was created" is to be true when he says it (api.md 1). Either the payout is
 * visible by now, or its reservation is given up here and now, and given back.
 */
export async function abandonCreation(
  { payouts, now }: Dependencies,
  request: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const payout = await payouts.findByExternalId(request);
    if (!payout || payout.state === 'RELEASING') return { payout: null };
    if (publicStatus(payout.state) !== null) return { payout: toPayout(payout) };
    await payouts.move(payout, 'abandoned', { dueAt: now() });
  }
  throw new CreationUnderWayError();
}
