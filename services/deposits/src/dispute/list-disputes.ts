import type { listDisputes as contract, listOperatorDisputes as operatorContract } from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { DisputeDependencies } from '#src/dispute/dependencies.ts';
import { DisputeEntity } from '#src/dispute/dispute-entity.ts';
import { findDispute } from '#src/dispute/find-dispute.ts';
import { toDispute, toOperatorDispute, withEvidence } from '#src/dispute/to-dispute.ts';
import { UnknownCursorError } from '#src/errors.ts';

type Request = RequestOf<typeof contract>;

/** Newest first by id: new records never move those of later pages. */
export async function listDisputes(
  dependencies: DisputeDependencies,
  request: Request,
): Promise<ReplyOf<typeof contract>> {
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
  const disputes = await withEvidence(dependencies.database.reader(), page, toDispute);
  return { disputes, nextCursor: found.length > limit ? (page.at(-1)?.id ?? null) : null };
}

/** Of all accounts and both environments: for operators. */
export async function listOperatorDisputes(
  { database }: DisputeDependencies,
  { accountId, status, attention, cursor, limit }: RequestOf<typeof operatorContract>,
): Promise<ReplyOf<typeof operatorContract>> {
  const em = database.reader();
  const visible = { $ne: 'OPENING' as const };
  if (cursor !== undefined && (await em.count(DisputeEntity, { id: cursor, state: visible })) === 0) {
    throw new UnknownCursorError('a dispute');
  }
  const where = {
    state: status ?? visible,
    ...(accountId === undefined ? {} : { accountId }),
    ...(attention === undefined ? {} : { attentionAt: attention ? { $ne: null } : null }),
    ...(cursor === undefined ? {} : { id: { $lt: cursor } }),
  };
  const found = await em.find(DisputeEntity, where, { orderBy: { id: 'desc' }, limit: limit + 1 });
  const page = found.slice(0, limit);
  const nextCursor = found.length > limit ? (page.at(-1)?.id ?? null) : null;
  return { disputes: await withEvidence(em, page, toOperatorDispute), nextCursor };
}

async function requireDispute(
  { database }: DisputeDependencies,
  key: Parameters<typeof findDispute>[1],
): Promise<void> {
  try {
    await findDispute(database, key);
  } catch (error) {
    throw error instanceof NotFoundError ? new UnknownCursorError('a dispute') : error;
  }
}
