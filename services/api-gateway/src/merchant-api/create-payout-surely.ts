import { DomainError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { abandonCreation, createPayout, type Payout } from '@gateway/contracts/payouts';
import { callRpc, NoAnswerError, type Askable } from '@gateway/messaging';

type Request = RequestOf<typeof createPayout>;

/**
 * Creates a payout, and answers for what it says about it: 503 only when none was created, nor will be by this call;
 * PROCESSING without an outcome is 504 naming the record (api.md 1).
 *
 * @param timeoutMs for the creation; what is left of the request's time is for asking what has become of it
 * @throws DomainError PROVIDER_TIMEOUT naming no record when nobody can tell whether there is one; the same call again
 *   finds out, and makes no second payout
 */
export async function createPayoutSurely(
  bus: Askable,
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

async function findOrAbandon(bus: Askable, request: Request, unanswered: NoAnswerError): Promise<Payout | null> {
  const { environment, account, externalId } = request;
  try {
    const key = { environment, accountId: account.id, externalId };
    const { payout } = await callRpc(bus, abandonCreation, key);
    return payout;
  } catch {
    throw new DomainError('PROVIDER_TIMEOUT', 'the outcome is not known; repeat the call with the same external_id', {
      cause: unanswered,
    });
  }
}
