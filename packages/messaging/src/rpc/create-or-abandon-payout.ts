import { DomainError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { abandonCreation, type createPayout, type Payout } from '@gateway/contracts/payouts';
import type { Askable } from '#src/bus/bus.ts';
import { callRpc, NoAnswerError } from '#src/rpc/call-rpc.ts';

export interface PayoutToCreate {
  /** Asks the payouts service for it. */
  readonly create: () => Promise<ReplyOf<typeof createPayout>>;
  /** Names the payout that the question makes, whether it was made or not. */
  readonly key: RequestOf<typeof abandonCreation>;
}

export interface PayoutCreationOptions {
  /** For it to answer afterwards what has become of a creation that it did not answer; by default what the bus allows. */
  readonly abandonTimeoutMs?: number;
  /** What the caller's interface calls the merchant's reference; for the message of an unknown outcome. */
  readonly referenceName: string;
}

export interface PayoutCreation {
  /** Whether this call made the record. A record that was looked up is not counted as made. */
  readonly created: boolean;
  readonly payout: Payout;
  /** Present when the creation was not answered and the record was looked up. */
  readonly unanswered?: NoAnswerError;
}

/**
 * Creates a payout; a creation that is not answered is looked up and, where there is no record, abandoned. A client that
 * is answered that none was made may send it again under another reference, so 503 is answered only when none was made,
 * and none will be made by this call.
 *
 * @throws DomainError PROVIDER_TIMEOUT without a record when it is not known whether there is one; the same call again
 *   finds out, and makes no second payout
 */
export async function createOrAbandonPayout(
  bus: Askable,
  { create, key }: PayoutToCreate,
  { abandonTimeoutMs, referenceName }: PayoutCreationOptions,
): Promise<PayoutCreation> {
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof NoAnswerError) || error.received === 'no') throw error;
    const payout = await findOrAbandon(bus, key, abandonTimeoutMs).catch(() => {
      const message = `the outcome is not known; repeat the call with the same ${referenceName}`;
      throw new DomainError('PROVIDER_TIMEOUT', message, { cause: error });
    });
    if (!payout) throw error;
    return { created: false, payout, unanswered: error };
  }
}

async function findOrAbandon(
  bus: Askable,
  key: RequestOf<typeof abandonCreation>,
  timeoutMs: number | undefined,
): Promise<Payout | null> {
  const { payout } = await callRpc(bus, abandonCreation, key, timeoutMs === undefined ? {} : { timeoutMs });
  return payout;
}
