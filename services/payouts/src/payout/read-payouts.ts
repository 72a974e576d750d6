import { raw } from '@mikro-orm/core';
import { NotFoundError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type * as contract from '@gateway/contracts/payouts';
import type { MoneyInFlight } from '@gateway/contracts/providers';
import type { Environment } from '@gateway/contracts/values';
import { idLowerBound, isId } from '@gateway/money';
import {
  ownedBy,
  pageOf,
  queriesIn,
  readInTime,
  RecordList,
  wanted,
  wantedRecords,
  type Condition,
  type Database,
  type PageAsked,
} from '@gateway/persistence';
import { presenters } from '@gateway/public-api/presenters';
import { UnknownCursorError } from '#src/errors.ts';
import type { PayoutDependencies } from '#src/payout/dependencies.ts';
import { invisibleStates, publicStatus, statesOf } from '#src/payout/life-cycle.ts';
import { payoutColumns, PayoutEntity, type PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutTable } from '#src/payout/payout-table.ts';
import { shownMembers, toOperatorPayout, toPayout, type ShownPayout } from '#src/payout/present-payout.ts';

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

const list = new RecordList<ShownPayout>({
  kind: 'payout',
  from: 'payout',
  columns: payoutColumns.selectedFrom('payout', shownMembers),
});

/**
 * By id: new records never move those of later pages. What no index finds is given up in time.
 *
 * @throws ValidationError where too many records would have to be read
 */
export async function listPayouts(
  { database }: Pick<PayoutDependencies, 'database'>,
  request: ListRequest,
): Promise<ReplyOf<typeof contract.listPayouts>> {
  const page = isNarrowed(request)
    ? await readInTime(database, async (tx) =>
        list.page(queriesIn(tx), pageAsked(request, await paidIn(tx.em, request))),
      )
    : await list.page(database, pageAsked(request));
  if (!page) throw new UnknownCursorError();
  return { payouts: page.rows.map(toPayout), nextCursor: page.nextCursor };
}

/** As `listPayouts`, in the contract and the language that the merchant is answered in. */
export async function showPayouts(
  dependencies: Pick<PayoutDependencies, 'database'>,
  { apiVersion, language, ...request }: RequestOf<typeof contract.showPayouts>,
): Promise<ReplyOf<typeof contract.showPayouts>> {
  const { payouts, nextCursor } = await listPayouts(dependencies, request);
  const present = presenters[apiVersion].payout;
  return { data: payouts.map((payout) => present(payout, language)), next_cursor: nextCursor };
}

function isNarrowed({ e2eId, currency, kind, minAmount, maxAmount, recipientDocument }: ListRequest): boolean {
  return [e2eId, currency, kind, minAmount, maxAmount, recipientDocument].some((filter) => filter !== undefined);
}

function pageAsked(request: ListRequest, ids?: readonly string[]): PageAsked {
  const { status, externalId, kind, currency, minAmount, maxAmount, recipientDocument } = request;
  return {
    ...request,
    owned: [ownedBy(request)],
    visible: [isVisible, isKept],
    filters: [
      ...inStatus(status),
      ...wanted('external_id = ?', externalId),
      ...wanted('kind = ?', kind),
      ...wanted('currency = ?', currency),
      ...wanted('amount >= ?', minAmount),
      ...wanted('amount <= ?', maxAmount),
      ...wanted(`recipient ->> 'document' = ?`, recipientDocument),
      ...wanted('id = any(?)', ids),
    ],
  };
}

async function paidIn(em: Reader, { e2eId }: ListRequest): Promise<readonly string[] | undefined> {
  return e2eId === undefined ? undefined : await payoutsPaidAs(em, e2eId);
}

const isVisible: Condition = { sql: `state not in (${invisibleStates.map(quoted).join(', ')})`, values: [] };
/** One that was given back and paid all the same is the merchant's to see. */
const isKept: Condition = { sql: `(released_at is null or state in ('REDEBITING', 'PAID'))`, values: [] };

function quoted(state: string): string {
  return `'${state}'`;
}

function inStatus(status: ListRequest['status']): readonly Condition[] {
  if (status === undefined) return [];
  // The states that are few have an index, by a column of their own.
  const column = status === 'PROCESSING' || status === 'PAID' ? 'state' : 'exceptional_state';
  const states = statesOf(status).map(quoted).join(', ');
  // The index of what is due is the short way to those that are under way.
  const isDue = status === 'PROCESSING' ? ' and due_at is not null' : '';
  return [{ sql: `${column} in (${states})${isDue}`, values: [] }];
}

/**
 * What an accounting statement says of payouts: also of one that was given back before it became visible, since its debit
 * is in the statement.
 */
export async function getStatementRecords(
  { database }: Pick<PayoutDependencies, 'database'>,
  { environment, accountId, ids }: RequestOf<typeof contract.getPayoutRecords>,
): Promise<ReplyOf<typeof contract.getPayoutRecords>> {
  const id = { $in: ids.filter((each) => isId('payout', each)) };
  const rows = await database.reader().find(PayoutEntity, { environment, accountId, id });
  return {
    records: rows.map((row) => ({
      id: row.id,
      externalId: row.externalId,
      e2eId: row.e2eId ?? null,
      counterparty: { name: row.recipient.name, document: row.recipient.document },
    })),
  };
}

/** @throws NotFoundError also for one not visible yet */
export async function getOperatorPayout(
  { payouts }: PayoutDependencies,
  { id }: RequestOf<typeof contract.getOperatorPayout>,
): Promise<ReplyOf<typeof contract.getOperatorPayout>> {
  return { payout: toOperatorPayout(await findPayoutById(payouts, id)) };
}

type OperatorListRequest = RequestOf<typeof contract.listOperatorPayouts>;
type Reader = ReturnType<Database['reader']>;

/** The payouts of all accounts, newest first. */
export async function listOperatorPayouts(
  { database }: Pick<PayoutDependencies, 'database'>,
  request: OperatorListRequest,
): Promise<ReplyOf<typeof contract.listOperatorPayouts>> {
  const { limit, cursor } = request;
  return await readInTime(database, async ({ em }) => {
    if (cursor !== undefined && (await em.count(PayoutEntity, { id: cursor })) === 0) throw new UnknownCursorError();
    const ids = request.e2eId === undefined ? undefined : await payoutsPaidAs(em, request.e2eId);
    const where = wantedByOperator(request, ids);
    const found = await em.find(PayoutEntity, where, { orderBy: { id: 'desc' }, limit: limit + 1 });
    const { rows: page, nextCursor } = pageOf(found, limit);
    return { payouts: page.map(toOperatorPayout), nextCursor };
  });
}

/** Each filter that is given has to hold. */
function wantedByOperator(request: OperatorListRequest, ids: readonly string[] | undefined) {
  const { status, kind, key, recipientDocument } = request;
  return {
    $and: [
      ...wantedRecords('payout', request),
      { state: status === undefined ? { $nin: invisibleStates } : { $in: statesOf(status) } },
      ...(kind === undefined ? [] : [{ kind }]),
      ...(key === undefined ? [] : [{ key }]),
      ...(recipientDocument === undefined ? [] : [{ [raw(`recipient ->> 'document'`)]: recipientDocument }]),
      ...(ids === undefined ? [] : [{ id: { $in: [...ids] } }]),
    ],
  };
}

/** The providers of live payouts, found by one probe of their index each, and the payout at each. */
const livePaidAsSql = `
  with recursive known (provider) as (
    (select provider from payout where live_e2e_id is not null order by provider limit 1)
    union all
    select next.provider from known cross join lateral (
      select provider from payout where live_e2e_id is not null and provider > known.provider order by provider limit 1
    ) next
  )
  select id from known join payout using (provider) where live_e2e_id = ?`;

/** Test mode has no index of them; an end-to-end id of PIX names the minute it was made in. */
const testPaidAsSql = `
  select id from payout where environment = 'test' and e2e_id = ? and id >= ? and id < ?`;

/** Between the creation of a payout and its end-to-end id, also where it waits for an operator first. */
const sentWithinMs = 7 * 86_400_000;
const minuteMs = 60_000;

async function payoutsPaidAs(em: Pick<Reader, 'execute'>, e2eId: string): Promise<string[]> {
  const [, ...parts] = /^E[0-9A-Z]{8}(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)/.exec(e2eId) ?? [];
  const [year, month, day, hour, minute] = parts;
  // Of other text Date.parse makes a time too.
  const madeAtMs = parts.length === 0 ? Number.NaN : Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`);
  const range = Number.isNaN(madeAtMs)
    ? ['', 'pyt_~']
    : [idLowerBound('payout', madeAtMs - sentWithinMs), idLowerBound('payout', madeAtMs + minuteMs)];
  const live = await em.execute<{ id: string }[]>(livePaidAsSql, [e2eId]);
  const test = await em.execute<{ id: string }[]>(testPaidAsSql, [e2eId, ...range]);
  return [...live, ...test].map(({ id }) => id);
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
