import type {
  getRefund as getContract,
  listAccountRefunds as accountContract,
  listOperatorRefunds as operatorContract,
  listRefunds as depositContract,
  showAccountRefunds as showAccountContract,
  showRefunds as showContract,
  OperatorRefund,
  Refund,
  RefundStatus,
  ReturnOutcome,
} from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { type Environment, type ShownPage, unixSeconds } from '@gateway/contracts/values';
import { isId } from '@gateway/money';
import {
  ownedBy,
  pageOf,
  readInTime,
  RecordList,
  wanted,
  wantedRecords,
  type Condition,
  type IdWindow,
} from '@gateway/persistence';
import { toProviderReference } from '@gateway/pix';
import { presenters } from '@gateway/public-api/presenters';
import { findDeposit } from '#src/deposit/deposit-record.ts';
import { UnknownCursorError } from '#src/errors.ts';
import type { RefundState } from '#src/refund/life-cycle.ts';
import { refundColumns, RefundEntity, type RefundRow } from '#src/refund/refund-entity.ts';
import type { RoutingDependencies } from '#src/routing/dependencies.ts';

/** What of a record is shown to others than operators. */
const shownMembers = [
  ...(['id', 'environment', 'accountId', 'depositId', 'externalId', 'state', 'currency', 'amount', 'reason'] as const),
  ...(['returnId', 'failureReason', 'failureMessage', 'createdAt', 'finishedAt'] as const),
] satisfies readonly (keyof RefundRow)[];
type ShownRefund = Pick<RefundRow, (typeof shownMembers)[number]>;

/** The record as other services and merchants see it. */
export function toRefund(row: ShownRefund): Refund {
  return {
    id: row.id,
    environment: row.environment,
    accountId: row.accountId,
    depositId: row.depositId,
    externalId: row.externalId,
    status: publicStatus(row.state),
    currency: row.currency,
    amount: row.amount,
    reason: row.reason ?? null,
    returnId: row.returnId ?? null,
    failureReason: row.failureReason ?? null,
    failureMessage: row.failureMessage ?? null,
    createdAt: unixSeconds(row.createdAt),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

/** With what only operators see of it. */
export function toOperatorRefund(row: RefundRow): OperatorRefund {
  return {
    ...toRefund(row),
    provider: row.provider,
    reference: toProviderReference(row.id),
    providerRef: row.providerRef ?? null,
    traceId: row.traceId ?? null,
    attempts: row.attempts,
    unknownSince: row.unknownSince?.toISOString() ?? null,
    attentionAt: row.attentionAt?.toISOString() ?? null,
    attention: row.attention ?? null,
    resolution: row.resolution ?? null,
    outcomes: [...refundOutcomesOf(row)],
  };
}

/**
 * What two operators may state of a refund as it is. One that is under way ends; one that has failed may have been sent all
 * the same; and of one that its provider contradicts they confirm what is on record, or that a done one has come back. While
 * the ledger carries a step out, nothing: what they stated could not follow.
 */
export function refundOutcomesOf({
  state,
  attention,
}: Pick<RefundRow, 'state' | 'attention'>): readonly ReturnOutcome[] {
  switch (state) {
    case 'SENDING':
      return ['done', 'failed'];
    case 'DONE':
      if (attention === 'contradiction') return ['done', 'failed'];
      return attention ? ['done'] : [];
    case 'FAILED':
      return attention ? ['done', 'failed'] : ['done'];
    case 'RESERVING':
    case 'RELEASING':
    case 'REVERSING':
    case 'REDEBITING':
      return [];
  }
}

/** What merchants see; of those that are reserved or given up, by the id alone. */
function publicStatus(state: RefundState): RefundStatus {
  switch (state) {
    case 'RESERVING':
    case 'RELEASING':
    case 'SENDING':
    case 'REVERSING':
      return 'PROCESSING';
    case 'REDEBITING':
      return 'FAILED';
    case 'DONE':
    case 'FAILED':
      return state;
  }
}

/** The states of what a merchant was answered, or may have been. */
const listedStates: readonly RefundState[] = ['SENDING', 'REVERSING', 'REDEBITING', 'DONE', 'FAILED'];

/** What operators see: also what is given up and not given back yet. */
const operatorStates: readonly RefundState[] = [...listedStates, 'RELEASING'];

/** The states that a list has under a status. */
function statesOf(states: readonly RefundState[], status: RefundStatus | undefined): RefundState[] {
  return states.filter((state) => status === undefined || publicStatus(state) === status);
}

/**
 * Also one that no list has, by the id that a statement or a 504 has of it (ADR 6).
 *
 * @throws NotFoundError also for the refunds of others
 */
export async function getRefund(
  { database }: RoutingDependencies,
  { environment, accountId, id }: RequestOf<typeof getContract>,
): Promise<ReplyOf<typeof getContract>> {
  const key = { environment, accountId, id };
  const refund = isId('refund', id) ? await database.reader().findOne(RefundEntity, key) : null;
  if (!refund) throw new NotFoundError('refund');
  return { refund: toRefund(refund) };
}

export async function listRefunds(
  dependencies: RoutingDependencies,
  { environment, accountId, depositId, ...page }: RequestOf<typeof depositContract>,
): Promise<ReplyOf<typeof depositContract>> {
  await findDeposit(dependencies.database, { environment, accountId, id: depositId });
  return await refundsWithin(dependencies, { environment, accountId, depositId }, page);
}

export async function listAccountRefunds(
  dependencies: RoutingDependencies,
  { environment, accountId, depositId, status, ...page }: RequestOf<typeof accountContract>,
): Promise<ReplyOf<typeof accountContract>> {
  return await refundsWithin(dependencies, { environment, accountId, depositId, status }, page);
}

/** As `listRefunds`, in the contract and the language that the merchant is answered in. */
export async function showRefunds(
  dependencies: RoutingDependencies,
  { apiVersion, language, ...request }: RequestOf<typeof showContract>,
): Promise<ReplyOf<typeof showContract>> {
  return shown(await listRefunds(dependencies, request), { apiVersion, language });
}

/** As `listAccountRefunds`, likewise. */
export async function showAccountRefunds(
  dependencies: RoutingDependencies,
  { apiVersion, language, ...request }: RequestOf<typeof showAccountContract>,
): Promise<ReplyOf<typeof showAccountContract>> {
  return shown(await listAccountRefunds(dependencies, request), { apiVersion, language });
}

function shown(
  { refunds, nextCursor }: ReplyOf<typeof accountContract>,
  { apiVersion, language }: Pick<RequestOf<typeof showContract>, 'apiVersion' | 'language'>,
): ShownPage {
  const present = presenters[apiVersion].refund;
  return { data: refunds.map((refund) => present(refund, language)), next_cursor: nextCursor };
}

/** Of all accounts and both environments: for operators. */
export async function listOperatorRefunds(
  { database }: RoutingDependencies,
  request: RequestOf<typeof operatorContract>,
): Promise<ReplyOf<typeof operatorContract>> {
  const { status, e2eId, cursor, limit } = request;
  return await readInTime(database, async ({ em }) => {
    const visible = { state: { $in: [...operatorStates] } };
    if (cursor !== undefined && (await em.count(RefundEntity, { ...visible, id: cursor })) === 0) {
      throw new UnknownCursorError('a refund');
    }
    const where = {
      $and: [
        ...wantedRecords('refund', request),
        { state: { $in: statesOf(operatorStates, status) } },
        ...(request.externalId === undefined ? [] : [{ releasedAt: null }]),
        ...(e2eId === undefined ? [] : [{ $or: [{ e2eId }, { trackingKey: e2eId }, { returnId: e2eId }] }]),
      ],
    };
    const found = await em.find(RefundEntity, where, { orderBy: { id: 'desc' }, limit: limit + 1 });
    const { rows: page, nextCursor } = pageOf(found, limit);
    return { refunds: page.map(toOperatorRefund), nextCursor };
  });
}

interface Wanted {
  readonly environment: Environment;
  readonly accountId: string;
  readonly depositId?: string | undefined;
  readonly status?: RefundStatus | undefined;
}

const list = new RecordList<ShownRefund>({
  kind: 'refund',
  from: 'refund',
  columns: refundColumns.selectedFrom('refund', shownMembers),
});

/** "Nothing was created" stays true of what was given up (api.md 1), unless it was sent all the same. */
const inLists: readonly Condition[] = [
  inStates(listedStates),
  { sql: `(released_at is null or state <> 'FAILED')`, values: [] },
];

/** By id: new records never move those of later pages. */
async function refundsWithin(
  { database }: RoutingDependencies,
  { environment, accountId, depositId, status }: Wanted,
  page: IdWindow & { readonly limit: number },
): Promise<ReplyOf<typeof accountContract>> {
  const found = await list.page(database, {
    ...page,
    owned: [ownedBy({ environment, accountId }), ...wanted('deposit_id = ?', depositId), ...inLists],
    filters: status === undefined ? [] : [inStates(statesOf(listedStates, status))],
  });
  if (!found) throw new UnknownCursorError('a refund');
  return { refunds: found.rows.map(toRefund), nextCursor: found.nextCursor };
}

function inStates(some: readonly RefundState[]): Condition {
  return { sql: `state in (${some.map((state) => `'${state}'`).join(', ')})`, values: [] };
}
