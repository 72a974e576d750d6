import type { listRefunds as contract, ReplyOf, RequestOf } from '@gateway/contracts';
import type { Dependencies } from '#src/dependencies.ts';
import { findDeposit } from '#src/deposit/find-deposit.ts';
import { UnknownCursorError } from '#src/errors.ts';
import { RefundEntity } from '#src/refund/refund-entity.ts';
import { toRefund } from '#src/refund/to-refund.ts';

/** Newest first by id: new records never move those of later pages. */
export async function listRefunds(
  { database }: Dependencies,
  { environment, accountId, depositId, cursor, limit }: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  await findDeposit(database, { environment, accountId, id: depositId });
  const ofDeposit = { environment, accountId, depositId, state: { $ne: 'RESERVING' as const } };
  if (cursor !== undefined && !(await database.reader().findOne(RefundEntity, { ...ofDeposit, id: cursor }))) {
    throw new UnknownCursorError('a refund');
  }
  const found = await database
    .reader()
    .find(
      RefundEntity,
      { ...ofDeposit, ...(cursor === undefined ? {} : { id: { $lt: cursor } }) },
      { orderBy: { id: 'desc' }, limit: limit + 1 },
    );
  const page = found.slice(0, limit);
  return { refunds: page.map(toRefund), nextCursor: found.length > limit ? (page.at(-1)?.id ?? null) : null };
}
