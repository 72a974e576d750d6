import { raw } from '@mikro-orm/core';
import type { getDeposit as getContract, listDeposits as listContract } from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { idsWithin, pageOf, readInTime, wantedValues, type Database } from '@gateway/persistence';
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
type Reader = Pick<ReturnType<Database['reader']>, 'find' | 'execute'>;

/**
 * By id: new records never move those of later pages. What no index finds is given up in time.
 *
 * @throws ValidationError where too many records would have to be read
 */
export async function listDeposits(
  dependencies: DepositDependencies,
  request: Request,
): Promise<ReplyOf<typeof listContract>> {
  const { cursor, limit } = request;
  if (cursor !== undefined) await requireDeposit(dependencies, request, cursor);
  const { database } = dependencies;
  const found = isNarrowed(request)
    ? await readInTime(database, (em) => findDeposits(em, request))
    : await findDeposits(database.reader(), request);
  const { rows: page, nextCursor } = pageOf(found, limit);
  return { deposits: page.map(toDeposit), nextCursor };
}

function isNarrowed({ e2eId, minAmount, maxAmount, payerDocument }: Request): boolean {
  return [e2eId, minAmount, maxAmount, payerDocument].some((filter) => filter !== undefined);
}

async function findDeposits(em: Reader, request: Request) {
  const { environment, accountId, status, externalId, currency, e2eId, payerDocument, limit, order = 'desc' } = request;
  const where = {
    $and: [
      { environment, accountId, state: status ?? { $ne: 'CREATING' as const } },
      idsWithin('deposit', request),
      ...wantedValues({ externalId, currency, minAmount: request.minAmount, maxAmount: request.maxAmount }),
      ...(e2eId === undefined ? [] : [{ id: { $in: await depositsPaidWith(em, e2eId) } }]),
      ...(payerDocument === undefined ? [] : [{ [raw(`payer ->> 'document'`)]: payerDocument }]),
    ],
  };
  // References sort as the ids do, and stand beside the document in its index.
  const orderBy = payerDocument === undefined ? { id: order } : { reference: order };
  return await em.find(DepositEntity, where, { orderBy, limit: limit + 1 });
}

async function requireDeposit({ database }: DepositDependencies, request: Request, id: string): Promise<void> {
  const { environment, accountId } = request;
  try {
    await findDeposit(database, { environment, accountId, id });
  } catch (error) {
    throw error instanceof NotFoundError ? new UnknownCursorError() : error;
  }
}

/** The providers payments came from, found by one probe of the primary key each, and the payment at each. */
const paidWithSql = `
  with recursive known (environment, provider) as (
    (select environment, provider from payment order by environment, provider limit 1)
    union all
    select next.environment, next.provider from known cross join lateral (
      select environment, provider from payment
      where (environment, provider) > (known.environment, known.provider) order by environment, provider limit 1
    ) next
  ), known_transfer (environment, provider) as (
    (select environment, provider from transfer order by environment, provider limit 1)
    union all
    select next.environment, next.provider from known_transfer cross join lateral (
      select environment, provider from transfer
      where (environment, provider) > (known_transfer.environment, known_transfer.provider)
      order by environment, provider limit 1
    ) next
  )
  select deposit_id as id from known join payment using (environment, provider) where e2e_id = ?
  union
  select deposit_id from known_transfer join transfer using (environment, provider) where e2e_id = ?
  union
  select deposit_id from transfer where tracking_key = ?`;

/** The deposits that a payment or transfer with that id arrived for. */
export async function depositsPaidWith(em: Reader, e2eId: string): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>(paidWithSql, [e2eId, e2eId, e2eId]);
  return rows.map(({ id }) => id);
}
