import type { DisputeOpened } from '@gateway/contracts/deposits';
import { newId } from '@gateway/money';
import { emit, type Tx } from '@gateway/persistence';
import { DepositEntity } from '#src/deposit/deposit-entity.ts';
import { unixSeconds } from '#src/deposit/to-deposit.ts';
import type { DisputeRow } from '#src/dispute/dispute-entity.ts';
import { type disputeLifeCycle, followDispute } from '#src/dispute/life-cycle.ts';
import { shownDispute } from '#src/dispute/to-dispute.ts';

type Facts = Partial<
  Omit<DisputeRow, 'environment' | 'accountId' | 'id' | 'depositId' | 'state' | 'verdict' | 'amount' | 'currency'>
>;

/**
 * Takes a dispute along an arrow of its life cycle and says so, if it is another state.
 *
 * @param dispute locked in `tx`
 * @throws DomainError INVALID_STATE when the dispute's state does not allow it
 */
export async function moveDispute(
  tx: Tx,
  dispute: DisputeRow,
  happening: keyof typeof disputeLifeCycle,
  event: typeof DisputeOpened,
  { facts = {}, now }: { readonly facts?: Facts; readonly now: Date },
): Promise<void> {
  const state = followDispute(dispute.state, happening);
  if (state === dispute.state) return;
  tx.em.assign(dispute, { ...facts, state });
  await emit(tx, event, {
    id: newId('event', now.getTime()),
    occurredAt: unixSeconds(now),
    dispute: await shownDispute(tx.em, dispute),
    callback: await callbackOf(tx, dispute),
  });
}

/** A dispute is one of its deposit's events (api.md 2, `callback_url`). */
async function callbackOf(tx: Tx, { environment, accountId, depositId: id }: DisputeRow) {
  const { callbackUrl: url, apiVersion } = await tx.em.findOneOrFail(DepositEntity, { environment, accountId, id });
  return url ? { url, apiVersion } : null;
}
