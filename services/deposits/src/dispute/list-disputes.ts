import { NotFoundError, type listDisputes as contract, type ReplyOf, type RequestOf } from '@gateway/contracts';
import type { Dependencies } from '#src/dependencies.ts';
import { DisputeEntity } from '#src/dispute/dispute-entity.ts';
import { findDispute } from '#src/dispute/find-dispute.ts';
import { toDispute } from '#src/dispute/to-dispute.ts';
import { UnknownCursorError } from '#src/errors.ts';

type Request = RequestOf<typeof contract>;

/** Newest first by id: new records never move those of later pages. */
export async function listDisputes(dependencies: Dependencies, request: Request): Promise<ReplyOf<typeof contract>> {
  const { environment, accountId, cursor, status, depositId, limit } = request;
  if (cursor !== undefined) await requireDispute(dependencies, { ...request, id: cursor });
  const found = await dependencies.database.reader().find(
    DisputeEntity,
    {
      environment,
      accountId,
      state: status ?? { $ne: 'OPENING' },
      ...(cursor === undefined ? {} : { id: { $lt: cursor } }),
      ...(depositId === undefined ? {} : { depositId }),
    },
    { orderBy: { id: 'desc' }, limit: limit + 1 },
  );
  const page = found.slice(0, limit);
  return { disputes: page.map(toDispute), nextCursor: found.length > limit ? (page.at(-1)?.id ?? null) : null };
}

async function requireDispute({ database }: Dependencies, key: Parameters<typeof findDispute>[1]): Promise<void> {
  try {
    await findDispute(database, key);
  } catch (error) {
    throw error instanceof NotFoundError ? new UnknownCursorError('a dispute') : error;
  }
}
