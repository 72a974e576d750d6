import { LockMode } from '@mikro-orm/core';
import { NotFoundError } from '@gateway/contracts/errors';
import type { Environment } from '@gateway/contracts/values';
import { isId } from '@gateway/money';
import type { Database, Tx } from '@gateway/persistence';
import { DisputeEntity } from '#src/dispute/dispute-entity.ts';

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
