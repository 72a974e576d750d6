import { setTimeout as sleep } from 'node:timers/promises';
import type { Dependencies } from '#src/dependencies.ts';
import { CreationUnderWayError } from '#src/errors.ts';
import { publicStatus } from '#src/payout/life-cycle.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';

const lookFirstMs = 10;
const lookMaxMs = 200;

/**
 * The visible record of an external_id, waiting for the call that is creating it, or for the one that is undone.
 *
 * @returns null when there is none (any more): the external_id is free
 * @throws CreationUnderWayError when the signal aborts first
 */
export async function awaitCreation(
  { payouts }: Dependencies,
  key: Pick<PayoutRow, 'environment' | 'accountId' | 'externalId'>,
  signal: AbortSignal,
): Promise<PayoutRow | null> {
  for (let waitMs = lookFirstMs; ; waitMs = Math.min(waitMs * 2, lookMaxMs)) {
    const payout = await payouts.findByExternalId(key);
    if (!payout) return null;
    if (publicStatus(payout.state) !== null) return payout;
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) throw new CreationUnderWayError();
  }
}
