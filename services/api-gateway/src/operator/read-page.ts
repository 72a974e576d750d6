import { ValidationError } from '@gateway/contracts/errors';
import { pageOf, wantedIds, type Database, type Page } from '@gateway/persistence';
import { type AccountsQuery, type ApprovalsQuery, type AuditQuery, secondsOfPeriod } from '@gateway/public-api';
import { AccountEntity } from '#src/accounts/account.ts';
import { ApprovalEntity, teamKinds } from '#src/approvals/approval.ts';
import { AuditEntity } from '#src/approvals/audit.ts';
import { AdjustmentEntity } from '#src/proposals/adjustment.ts';

export interface PageRequest {
  readonly limit: number;
  /** Id of the last record received. */
  readonly cursor?: string | undefined;
}

/** A page of accounts, newest first. */
export async function readAccounts(
  database: Database,
  { limit, cursor, name, document, auto_approve_payouts: autoApprovePayouts, frozen, ...period }: AccountsQuery,
): Promise<Page<AccountEntity>> {
  const em = database.reader();
  const { from, to } = secondsOfPeriod(period);
  if (cursor !== undefined && (await em.count(AccountEntity, { id: cursor })) === 0) throw unknownCursor();
  const where = {
    ...(cursor === undefined ? {} : { id: { $lt: cursor } }),
    ...(name === undefined ? {} : { name: { $ilike: `%${name.replace(/[\\%_]/g, '\\$&')}%` } }),
    ...(document === undefined ? {} : { document }),
    ...(autoApprovePayouts === undefined ? {} : { autoApprovePayouts }),
    ...(frozen === true ? { $or: [{ frozenLive: { $ne: null } }, { frozenTest: { $ne: null } }] } : {}),
    ...(frozen === false ? { frozenLive: null, frozenTest: null } : {}),
    $and: [
      ...(from === undefined ? [] : [{ createdAt: { $gte: new Date(from * 1_000) } }]),
      ...(to === undefined ? [] : [{ createdAt: { $lt: new Date(to * 1_000) } }]),
    ],
  };
  return pageOf(await em.find(AccountEntity, where, { orderBy: { id: 'desc' }, limit: limit + 1 }), limit);
}

/** A page of the audit trail, newest first: of changes, unless one request is asked for or the kind is named. */
export async function readAudit(database: Database, query: AuditQuery & PageRequest): Promise<Page<AuditEntity>> {
  const { limit, cursor, operator, action, target, account_id: accountId, request_id: requestId } = query;
  const kind = query.kind ?? (requestId === undefined ? 'change' : undefined);
  const em = database.reader();
  if (cursor !== undefined && (await em.count(AuditEntity, { id: cursor })) === 0) throw unknownCursor();
  const given = { kind, operator, action, target, accountId, requestId };
  const where = {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...wantedIds('audit', { cursor, ...secondsOfPeriod(query) }),
  };
  return pageOf(await em.find(AuditEntity, where, { orderBy: { id: 'desc' }, limit: limit + 1 }), limit);
}

export interface AdjustmentsRequest extends PageRequest {
  readonly status?: AdjustmentEntity['status'] | undefined;
  readonly account_id?: string | undefined;
}

/** A page of adjustments, newest first. */
export async function readAdjustments(
  database: Database,
  { limit, cursor, status, account_id: accountId }: AdjustmentsRequest,
): Promise<Page<AdjustmentEntity>> {
  const em = database.reader();
  if (cursor !== undefined && (await em.count(AdjustmentEntity, { id: cursor })) === 0) throw unknownCursor();
  const where = {
    ...(cursor === undefined ? {} : { id: { $lt: cursor } }),
    ...(status === undefined ? {} : { status }),
    ...(accountId === undefined ? {} : { accountId }),
  };
  return pageOf(await em.find(AdjustmentEntity, where, { orderBy: { id: 'desc' }, limit: limit + 1 }), limit);
}

/** A page of approvals, newest first. */
export async function readApprovals(
  database: Database,
  { limit, cursor, state, kind, account_id: accountId, proposed_by: proposedBy }: ApprovalsQuery,
): Promise<Page<ApprovalEntity>> {
  const em = database.reader();
  if (cursor !== undefined && (await em.count(ApprovalEntity, { id: cursor })) === 0) throw unknownCursor();
  const where = {
    ...(cursor === undefined ? {} : { id: { $lt: cursor } }),
    ...(state === undefined ? {} : { state }),
    kind: kind ?? { $nin: [...teamKinds] },
    ...(accountId === undefined ? {} : { accountId }),
    ...(proposedBy === undefined ? {} : { proposedBy }),
  };
  return pageOf(await em.find(ApprovalEntity, where, { orderBy: { id: 'desc' }, limit: limit + 1 }), limit);
}

function unknownCursor(): ValidationError {
  return new ValidationError([{ path: 'cursor', message: 'is not the id of a record in this list' }]);
}
