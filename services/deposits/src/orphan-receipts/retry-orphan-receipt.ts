import { LockMode } from '@mikro-orm/core';
import type { retryOrphanReceipt as contract } from '@gateway/contracts/deposits';
import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { toOrphanReceipt } from '#src/orphan-receipts/list-orphan-receipts.ts';
import { OrphanReceiptEntity } from '#src/orphan-receipts/orphan-receipt-entity.ts';
import { notBegun } from '#src/returns/attention.ts';
import type { RoutingDependencies } from '#src/routing/dependencies.ts';

/**
 * An operator has one that FAILED sent back again, under the same reference: a provider that has sent it meanwhile says so.
 * What the provider called the attempt before is in the trace; the call is made anew.
 *
 * @throws DomainError INVALID_STATE when it has not failed
 */
export async function retryOrphanReceipt(
  { database, now }: RoutingDependencies,
  { id }: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  return await database.transaction(async (tx) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
    const row = await tx.em.findOne(OrphanReceiptEntity, { id }, lock);
    if (!row) throw new NotFoundError('orphan receipt');
    const before = toOrphanReceipt(row);
    if (row.state !== 'FAILED') {
      throw new DomainError('INVALID_STATE', `an orphan receipt that is ${row.state} cannot be sent again`);
    }
    const again = { providerRef: null, attempts: 0, nextAttemptAt: now(), returningSince: now() };
    tx.em.assign(row, { ...notBegun, ...again, state: 'RETURNING', failure: null });
    return { before, receipt: toOrphanReceipt(row) };
  });
}
