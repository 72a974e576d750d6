import { DomainError } from '@gateway/contracts/errors';
import type { RequestOf } from '@gateway/contracts/messages';
import { abandonCreation, createPayout, type Payout } from '@gateway/contracts/payouts';
import { callRpc, NoAnswerError, type Bus } from '@gateway/messaging';

type Request = RequestOf<typeof createPayout>;

export interface PayoutTiming {
  /** For the payouts service to answer. */
  readonly timeoutMs: number;
  /** For it to say afterwards what has become of a call it did not answer. */
  readonly abandonTimeoutMs: number;
}

/**
 * The payout of the request. A client that is answered that none was made may send it again under another `externalId`,
 * so 503 is answered only when none was made, and none will be made by this call.
 *
 * @throws DomainError PROVIDER_TIMEOUT naming the record that was made, or no record when that is not known; the same call
 *   again finds out, and makes no second payout
 */
export async function createOrAbandonPayout(
  bus: Bus,
  request: Request,
  { timeoutMs, abandonTimeoutMs }: PayoutTiming,
): Promise<Payout> {
  try {
    return (await callRpc(bus, createPayout, request, { timeoutMs })).payout;
  } catch (error) {
    if (!(error instanceof NoAnswerError) || error.received === 'no') throw error;
    const payout = await findOrAbandon(bus, request, { timeoutMs: abandonTimeoutMs, unanswered: error });
    if (!payout) throw error;
    return payout;
  }
}

async function findOrAbandon(
  bus: Bus,
  { environment, account, externalId }: Request,
  { timeoutMs, unanswered }: { readonly timeoutMs: number; readonly unanswered: NoAnswerError },
): Promise<Payout | null> {
  try {
    const key = { environment, accountId: account.id, externalId };
    return (await callRpc(bus, abandonCreation, key, { timeoutMs })).payout;
  } catch {
    const message = 'the outcome is not known; repeat the call with the same externalId';
    throw new DomainError('PROVIDER_TIMEOUT', message, { cause: unanswered });
  }
}
