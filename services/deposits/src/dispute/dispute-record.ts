import { LockMode } from '@mikro-orm/core';
import type { DisputeOpened } from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import { type Environment, unixSeconds } from '@gateway/contracts/values';
import { isId, newId } from '@gateway/money';
import { type Database, emit, type Tx } from '@gateway/persistence';
import { DepositEntity } from '#src/deposit/deposit-entity.ts';
import { DisputeEntity, type DisputeRow } from '#src/dispute/dispute-entity.ts';
import { type disputeLifeCycle, nextDisputeState } from '#src/dispute/life-cycle.ts';
import { shownDispute } from '#src/dispute/to-dispute.ts';

export interface DisputeKey {
  readonly environment: Environment;
  readonly accountId: string;
  readonly id: string;
}

/** @throws NotFoundError also for the disputes of others, and for one whose money is not blocked yet */
export async function findDispute(database: Database, { environment, accountId, id }: DisputeKey) {
  if (!isId('dispute', id)) throw new NotFoundError('dispute');
  const dispute = await database.reader().findOne(DisputeEntity, { environment, accountId, id });
  if (!dispute || dispute.state === 'OPENING') throw new NotFoundError('dispute');
  return dispute;
}

/** A dispute of any account, for operators. @throws NotFoundError also for one whose money is not blocked yet */
export async function findDisputeById(database: Database, id: string) {
  const dispute = await database.reader().findOne(DisputeEntity, { id });
  if (!dispute || dispute.state === 'OPENING') throw new NotFoundError('dispute');
  return dispute;
}

/** The dispute in any state, locked until the transaction ends. */
export async function lockDispute(tx: Tx, { environment, accountId, id }: DisputeKey) {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
  const dispute = await tx.em.findOne(DisputeEntity, { environment, accountId, id }, lock);
  if (!dispute) throw new NotFoundError('dispute');
  return dispute;
}

type Facts = Partial<
  Omit<DisputeRow, 'environment' | 'accountId' | 'id' | 'depositId' | 'state' | 'verdict' | 'amount' | 'currency'>
>;

/**
 * Applies a transition to a dispute, and emits its event where the state is another one.
 *
 * @param dispute locked in `tx`
 * @throws DomainError INVALID_STATE when the dispute's state does not allow it
 */
export async function moveDispute(
  tx: Tx,
  dispute: DisputeRow,
  transition: keyof typeof disputeLifeCycle,
  event: typeof DisputeOpened,
  { facts = {}, now }: { readonly facts?: Facts; readonly now: Date },
): Promise<void> {
  const state = nextDisputeState(dispute.state, transition);
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
