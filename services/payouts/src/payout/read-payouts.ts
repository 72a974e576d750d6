import { raw } from '@mikro-orm/core';
import { NotFoundError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type * as contract from '@gateway/contracts/payouts';
import type { MoneyInFlight } from '@gateway/contracts/providers';
import type { Environment } from '@gateway/contracts/values';
import { isId } from '@gateway/money';
import { UnknownCursorError } from '#src/errors.ts';
import type { PayoutDependencies } from '#src/payout/dependencies.ts';
import { invisibleStates, publicStatus, statesOf } from '#src/payout/life-cycle.ts';
import { PayoutEntity, type PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutTable } from '#src/payout/payout-table.ts';
import { toOperatorPayout, toPayout } from '#src/payout/present-payout.ts';

export interface PayoutKey {
  readonly environment: Environment;
  readonly accountId: string;
  readonly id: string;
}

/**
 * By the id, which no caller has before the payout is visible, except those who were answered 504 while its debit could not
 * be recorded, or who read that debit in their statement: to them it is there, whatever its state.
 *
 * @throws NotFoundError also for the payouts of others
 */
export async function findPayout(payouts: PayoutTable, key: PayoutKey): Promise<PayoutRow> {
  const payout = isId('payout', key.id) ? await payouts.find(key) : undefined;
  if (!payout) throw new NotFoundError('payout');
  return payout;
}

/** For operators and providers, who name a payout by its id alone. @throws NotFoundError also for one not visible yet */
export async function findPayoutById(payouts: PayoutTable, id: string): Promise<PayoutRow> {
  const payout = isId('payout', id) ? await payouts.findById(id) : undefined;
  if (!payout || publicStatus(payout.state) === null) throw new NotFoundError('payout');
  return payout;
}

/** One whose creation has not come to an end is PROCESSING: money may have moved, and whether it goes its way is open. */
export async function getPayout(
  { payouts }: PayoutDependencies,
  request: RequestOf<typeof contract.getPayout>,
): Promise<ReplyOf<typeof contract.getPayout>> {
  const payout = await findPayout(payouts, request);
  const isVisible = publicStatus(payout.state) !== null;
  return { payout: toPayout(isVisible ? payout : { ...payout, state: 'PROCESSING' }) };
}

type ListRequest = RequestOf<typeof contract.listPayouts>;

/** Newest first by id: new records never move those of later pages. */
export async function listPayouts(
  dependencies: PayoutDependencies,
  request: ListRequest,
): Promise<ReplyOf<typeof contract.listPayouts>> {
  const { environment, accountId, cursor, status, externalId, kind, currency, limit } = request;
  if (cursor !== undefined) await requirePayout(dependencies, request, cursor);
  const found = await dependencies.database.reader().find(
    PayoutEntity,
    {
      environment,
      accountId,
      ...inStatus(status),
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

/** The states that are few have an index, by a column of their own. */
function inStatus(status: ListRequest['status']) {
  if (status === undefined) return { state: { $nin: invisibleStates } };
  if (status === 'PROCESSING' || status === 'PAID') return { state: { $in: statesOf(status) } };
  return { [raw('exceptional_state')]: { $in: statesOf(status) } };
}

async function requirePayout({ payouts }: PayoutDependencies, request: ListRequest, id: string): Promise<void> {
  const { environment, accountId } = request;
  try {
    await findPayout(payouts, { environment, accountId, id });
  } catch (error) {
    throw error instanceof NotFoundError ? new UnknownCursorError() : error;
  }
}

/** @throws NotFoundError also for one not visible yet */
export async function getOperatorPayout(
  { payouts }: PayoutDependencies,
  { id }: RequestOf<typeof contract.getOperatorPayout>,
): Promise<ReplyOf<typeof contract.getOperatorPayout>> {
  return { payout: toOperatorPayout(await findPayoutById(payouts, id)) };
}

/** The payouts of all accounts in both environments, newest first. */
export async function listOperatorPayouts(
  { database }: PayoutDependencies,
  { limit, cursor, status, attention }: RequestOf<typeof contract.listOperatorPayouts>,
): Promise<ReplyOf<typeof contract.listOperatorPayouts>> {
  const em = database.reader();
  if (cursor !== undefined && (await em.count(PayoutEntity, { id: cursor })) === 0) throw new UnknownCursorError();
  const found = await em.find(
    PayoutEntity,
    {
      $and: [
        { state: status === undefined ? { $nin: invisibleStates } : { $in: statesOf(status) } },
        attention === true ? { attentionAt: { $ne: null } } : {},
        cursor === undefined ? {} : { id: { $lt: cursor } },
      ],
    },
    { orderBy: { id: 'desc' }, limit: limit + 1 },
  );
  const page = found.slice(0, limit);
  return { payouts: page.map(toOperatorPayout), nextCursor: found.length > limit ? (page.at(-1)?.id ?? null) : null };
}

/**
 * The ledger has what is debited in transit until it is settled: the provider may have paid it, or not yet. What came back
 * is at the provider before it is credited. All of them are due, so an index holds them.
 */
const inFlightSql = `
  select provider, currency, 'payouts_under_way' as what, -sum(amount)::bigint as "atLeast", 0::bigint as "atMost"
  from payout where environment = $1 and due_at is not null
    and state in ('SENDING', 'PROCESSING', 'SETTLING', 'REVERSING', 'REDEBITING')
  group by provider, currency
  union all
  select provider, currency, 'payout_returns_to_credit', 0, sum((part ->> 'amount')::bigint)::bigint
  from payout, jsonb_array_elements(returns) as part
  where environment = $1 and due_at is not null and state = 'PAID' and not (part ->> 'credited')::boolean
    and part ->> 'notBooked' is null
  group by provider, currency`;

/** What payouts explain of a difference between a provider's balance and the ledger. */
export async function getPayoutsInFlight(
  { database }: Pick<PayoutDependencies, 'database'>,
  environment: Environment,
): Promise<ReplyOf<typeof contract.getPayoutsInFlight>> {
  return { inFlight: await database.query<MoneyInFlight>(inFlightSql, [environment]) };
}
