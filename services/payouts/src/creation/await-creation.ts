import { setTimeout as sleep } from 'node:timers/promises';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type * as contract from '@gateway/contracts/payouts';
import { CreationUnderWayError } from '#src/errors.ts';
import { publicStatus } from '#src/payout/life-cycle.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { toPayout } from '#src/payout/present-payout.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';

const lookFirstMs = 10;
const lookMaxMs = 200;

/**
 * The visible record of an external_id, waiting for the call that is creating it, or for the one that is undone.
 *
 * @returns null when there is none (any more): the external_id is free
 * @throws CreationUnderWayError when the signal aborts first
 */
export async function awaitCreation(
  { payouts }: StepsDependencies,
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

/** The call that creates it may win the race for its record once or twice; then it is visible. */
const attemptsMax = 5;

/**
 * For a caller who was not answered: "nothing was created" has to be true when the caller reports it (api.md 1). Either the payout is
 * visible by now, or its reservation is given up here and now, and given back.
 */
export async function abandonCreation(
  { payouts, now }: StepsDependencies,
  request: RequestOf<typeof contract.abandonCreation>,
): Promise<ReplyOf<typeof contract.abandonCreation>> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const payout = await payouts.findByExternalId(request);
    if (!payout || payout.state === 'RELEASING') return { payout: null };
    if (publicStatus(payout.state) !== null) return { payout: toPayout(payout) };
    await payouts.move(payout, 'abandoned', { dueAt: now() });
  }
  throw new CreationUnderWayError();
}
