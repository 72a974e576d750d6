import {
  abandonCreation,
  createPayout,
  DomainError,
  type Payout,
  type ReplyOf,
  type RequestOf,
} from '@gateway/contracts';
import { callRpc, NoAnswerError, type Bus } from '@gateway/service-kit';

type Request = RequestOf<typeof createPayout>;

/** How long the payouts service is asked what has become of a call it did not answer. */
const abandonTimeoutMs = 5_000;

/**
 * Creates a payout, and answers for what it says about it: 503 only when none was created, nor will be by this call;
 * PROCESSING without an outcome is 504 naming the record (api.md 1).
 *
 * @throws DomainError PROVIDER_TIMEOUT naming no record when nobody can tell whether there is one; the same call again
 *   finds out, and makes no second payout
 */
export async function createPayoutSurely(
  bus: Bus,
  request: Request,
  { timeoutMs }: { readonly timeoutMs: number },
): Promise<ReplyOf<typeof createPayout>> {
  try {
    return await callRpc(bus, createPayout, request, { timeoutMs });
  } catch (error) {
    if (!(error instanceof NoAnswerError) || error.received === 'no') throw error;
    const payout = await findOrAbandon(bus, request, error);
    if (!payout) throw error;
    if (payout.status !== 'PROCESSING') return { created: false, payout };
    throw new DomainError('PROVIDER_TIMEOUT', 'no outcome in time; query the payout before you try again', {
      extra: { payout_id: payout.id },
      cause: error,
    });
  }
}

async function findOrAbandon(bus: Bus, request: Request, unanswered: NoAnswerError): Promise<Payout | null> {
  const { environment, account, externalId } = request;
  try {
    const key = { environment, accountId: account.id, externalId };
    const { payout } = await callRpc(bus, abandonCreation, key, { timeoutMs: abandonTimeoutMs });
    return payout;
  } catch {
    throw new DomainError('PROVIDER_TIMEOUT', 'the outcome is not known; repeat the call with the same external_id', {
      cause: unanswered,
    });
  }
}
