import type { getDeposit as getContract, listDeposits as listContract } from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { idsWithin, pageOf } from '@gateway/persistence';
import type { DepositDependencies } from '#src/deposit/dependencies.ts';
import { DepositEntity } from '#src/deposit/deposit-entity.ts';
import { findDeposit } from '#src/deposit/deposit-record.ts';
import { toDeposit } from '#src/deposit/to-deposit.ts';
import { UnknownCursorError } from '#src/errors.ts';

export async function getDeposit(
  { depositReader }: DepositDependencies,
  request: RequestOf<typeof getContract>,
): Promise<ReplyOf<typeof getContract>> {
  return { deposit: toDeposit(await depositReader.find(request)) };
}

type Request = RequestOf<typeof listContract>;

/** By id: new records never move those of later pages. */
export async function listDeposits(
  dependencies: DepositDependencies,
  request: Request,
): Promise<ReplyOf<typeof listContract>> {
  const { environment, accountId, cursor, status, externalId, currency, limit, order = 'desc' } = request;
  if (cursor !== undefined) await requireDeposit(dependencies, request, cursor);
  const found = await dependencies.database.reader().find(
    DepositEntity,
    {
      environment,
      accountId,
      state: status ?? { $ne: 'CREATING' },
      ...idsWithin('deposit', request),
      ...(externalId === undefined ? {} : { externalId }),
      ...(currency === undefined ? {} : { currency }),
    },
    { orderBy: { id: order }, limit: limit + 1 },
  );
  const { rows: page, nextCursor } = pageOf(found, limit);
  return { deposits: page.map(toDeposit), nextCursor };
}

async function requireDeposit({ database }: DepositDependencies, request: Request, id: string): Promise<void> {
  const { environment, accountId } = request;
  try {
    await findDeposit(database, { environment, accountId, id });
  } catch (error) {
    throw error instanceof NotFoundError ? new UnknownCursorError() : error;
  }
}
