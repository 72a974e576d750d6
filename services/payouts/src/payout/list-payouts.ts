import { NotFoundError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { listPayouts as contract } from '@gateway/contracts/payouts';
import type { Dependencies } from '#src/dependencies.ts';
import { UnknownCursorError } from '#src/errors.ts';
import { findPayout } from '#src/payout/find-payout.ts';
import { invisibleStates, statesOf } from '#src/payout/life-cycle.ts';
import { PayoutEntity } from '#src/payout/payout-entity.ts';
import { toPayout } from '#src/payout/to-payout.ts';

type Request = RequestOf<typeof contract>;

/** Newest first by id: new records never move those of later pages. */
export async function listPayouts(dependencies: Dependencies, request: Request): Promise<ReplyOf<typeof contract>> {
  const { environment, accountId, cursor, status, externalId, kind, currency, limit } = request;
  if (cursor !== undefined) await requirePayout(dependencies, request, cursor);
  const found = await dependencies.database.reader().find(
    PayoutEntity,
    {
      environment,
      accountId,
      state: status === undefined ? { $nin: invisibleStates } : { $in: statesOf(status) },
      // One that was given back and paid all the same is the merchant's to see.
      $or: [{ releasedAt: null }, { state: { $in: ['REDEBITING', 'PAID'] } }],
      // The index of what is due is the short way to those that are under way.
      ...(status === 'PROCESSING' ? { dueAt: { $ne: null } } : {}),
      ...(cursor === undefined ? {} : { id: { $lt: cursor } }),
      ...(externalId === undefined ? {} : { externalId }),
      ...(kind === undefined ? {} : { kind }),
      ...(currency === undefined ? {} : { currency }),
    },
    { orderBy: { id: 'desc' }, limit: limit + 1 },
  );
  const page = found.slice(0, limit);
  return { payouts: page.map(toPayout), nextCursor: found.length > limit ? (page.at(-1)?.id ?? null) : null };
}

async function requirePayout({ database }: Dependencies, request: Request, id: string): Promise<void> {
  const { environment, accountId } = request;
  try {
    await findPayout(database, { environment, accountId, id });
  } catch (error) {
    throw error instanceof NotFoundError ? new UnknownCursorError() : error;
  }
}
