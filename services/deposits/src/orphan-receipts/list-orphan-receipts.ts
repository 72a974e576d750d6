import type { listOrphanReceipts as contract, OrphanReceipt } from '@gateway/contracts/deposits';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { UnknownCursorError } from '#src/errors.ts';
import {
  OrphanReceiptEntity,
  type OrphanReceiptRow,
  type OrphanState,
} from '#src/orphan-receipts/orphan-receipt-entity.ts';
import type { RoutingDependencies } from '#src/routing/dependencies.ts';

const underWay = { $in: ['RETURNING', 'BOOKING'] satisfies OrphanState[] };

/** Newest first by id, of all accounts and both environments: for operators. */
export async function listOrphanReceipts(
  { database }: RoutingDependencies,
  { cursor, limit, ...wanted }: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const em = database.reader();
  if (cursor !== undefined && (await em.count(OrphanReceiptEntity, { id: cursor })) === 0) {
    throw new UnknownCursorError('an orphan receipt');
  }
  const { state, depositId, attention } = wanted;
  const where = {
    ...(state === undefined ? {} : { state: state === 'RETURNING' ? underWay : state }),
    ...(depositId === undefined ? {} : { depositId }),
    ...(attention === undefined ? {} : { attentionAt: attention ? { $ne: null } : null }),
    ...(cursor === undefined ? {} : { id: { $lt: cursor } }),
  };
  const found = await em.find(OrphanReceiptEntity, where, { orderBy: { id: 'desc' }, limit: limit + 1 });
  const page = found.slice(0, limit);
  return { receipts: page.map(toOrphanReceipt), nextCursor: found.length > limit ? (page.at(-1)?.id ?? null) : null };
}

/** The record as operators see it: RETURNING until the ledger knows that it is back. */
export function toOrphanReceipt(row: OrphanReceiptRow): OrphanReceipt {
  const { id, environment, accountId, depositId, provider, e2eId, cause, state, currency, amount, attempts } = row;
  return {
    ...{ id, environment, accountId, depositId, provider, e2eId, cause, currency, amount, attempts },
    state: state === 'BOOKING' ? 'RETURNING' : state,
    failure: row.failure ?? null,
    returnId: row.returnId ?? null,
    paidAt: row.paidAt.toISOString(),
    attentionAt: row.attentionAt?.toISOString() ?? null,
    attention: row.attention ?? null,
    resolution: row.resolution ?? null,
  };
}
