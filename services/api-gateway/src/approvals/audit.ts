import { setTimeout as sleep } from 'node:timers/promises';
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { DomainError, statusOf } from '@gateway/contracts/errors';
import type { OperatorPermission } from '@gateway/contracts/identity';
import { NoAnswerError } from '@gateway/messaging';
import type { Environment } from '@gateway/contracts/values';
import { isId, newId } from '@gateway/money';
import type { Database, Tx } from '@gateway/persistence';

/**
 * What one operator changed, or read of personal data: never changed, never removed. `before` and `after` are null as long
 * as it is not known what came of it.
 */
export const AuditEntity = defineEntity({
  name: 'Audit',
  tableName: 'audit',
  properties: {
    id: p.string().primary(),
    kind: p.enum(['change', 'read'] as const),
    operator: p.string(),
    action: p.string(),
    /** Id of the record that was changed or read; of a list its name. */
    target: p.string(),
    /** The account whose record it is, where it is one account's. */
    accountId: p.string().nullable(),
    before: p.json<object>().nullable(),
    after: p.json<object>().nullable(),
    /** What a list was asked for. */
    filter: p.json<object>().nullable(),
    /** How many records were read; null of a change, and of a list in CSV that is not written to its end. */
    records: p.integer().nullable(),
    requestId: p.string(),
    createdAt: p.datetime(),
  },
});
export type AuditEntity = InferEntity<typeof AuditEntity>;

/** Who acts, and under which request. */
export interface OperatorAct {
  readonly operator: string;
  /** Whether they may do it: each proposal and each decision asks for what it takes. */
  readonly may: (permission: OperatorPermission) => boolean;
  readonly requestId: string;
  readonly at: Date;
  /** The person who answers for it; none of a token that is configured. */
  readonly responsible?: string | null;
  /** Of a token that was approved: by whom. */
  readonly tokenApprovedBy?: string | null;
  /** Of a person who signed in. */
  readonly person?: ActingPerson;
  /** Of one of a merchant's people: the account and the environment in which they act, and beyond which they reach nothing. */
  readonly team?: Team;
}

export interface Team {
  readonly accountId: string;
  readonly environment: Environment;
}

interface ActingPerson {
  /** Whether the person has confirmed exactly this request. */
  readonly isConfirmed: boolean;
  /**
   * @param proposerId null: no person answers for the proposal
   * @param toPropose what the proposer needs still; null of a token, whose people need no more than to be there
   * @throws DomainError SECOND_PERSON_REQUIRED when the person may not decide what that other one proposed;
   *   PERMISSION_DENIED where the proposer may propose it no longer
   */
  readonly requireSecondTo: (proposerId: string | null, toPropose: OperatorPermission | null) => Promise<void>;
}

/** Under which the gateway itself acts when a time is up; no operator may have this name. */
export const gatewayName = 'gateway';

/** Under which the opening of a live key's link is recorded; no operator may have this name. */
export const merchantName = 'merchant';

/** Of an act that writes down what was allowed and decided before: it proposes and decides nothing more. */
export const mayNothing = (): boolean => false;

export function gatewayAct(cause: string, at: Date): OperatorAct {
  return { operator: gatewayName, may: mayNothing, requestId: cause, at };
}

export interface AuditedChange {
  readonly action:
    | 'account.create'
    | 'account.freeze'
    | 'account.unfreeze'
    | 'account.update'
    | 'adjustment.approve'
    | 'adjustment.expire'
    | 'adjustment.propose'
    | 'adjustment.refuse'
    | 'adjustment.withdraw'
    | 'approval.approve'
    | 'approval.expire'
    | 'approval.propose'
    | 'approval.refuse'
    | 'approval.withdraw'
    | 'dead-letter.discard'
    | 'dead-letter.retry'
    | 'delivery.redeliver'
    | 'dispute.confirm-evidence'
    | 'dispute.enter'
    | 'dispute.store-file'
    | 'dispute.submit-evidence'
    | 'deposit.look-up'
    | 'dispute.resolve'
    | 'exception.resolve'
    | 'feed.skip'
    | 'first-owner.confirm'
    | 'first-owner.revoke'
    | 'integration.remove'
    | 'integration.set'
    | 'key.allowlist'
    | 'key.claim'
    | 'key.issue'
    | 'key.revoke'
    | 'ledger.open-incarnation'
    | 'live-conversions.cover'
    | 'live-conversions.switch-off'
    | 'live-conversions.switch-on'
    | 'checkpoint-key.rotate'
    | 'own-transfer.declare'
    | 'payout.approve'
    | 'payout.look-up'
    | 'payout.refuse'
    | 'payout.propose-resolution'
    | 'payout.resolve'
    | 'orphan-receipt.look-up'
    | 'orphan-receipt.retry'
    | 'team.change'
    | 'team.confirm-invitation'
    | 'team.end-recovery'
    | 'team.end-sessions'
    | 'team.invite'
    | 'team.propose-recovery'
    | 'team.recover'
    | 'team.remove'
    | 'team.reset'
    | 'team.revoke-invitation'
    | 'unread-item.dismiss'
    | 'unread-item.retry'
    | 'person.change-roles'
    | 'person.confirm-invitation'
    | 'person.end-sessions'
    | 'person.revoke-invitation'
    | 'person.suspend'
    | 'service-token.create'
    | 'service-token.revoke'
    | 'provider.update'
    | 'reconciliation.note'
    | 'reconciliation.run'
    | 'reconciliation.sign-off'
    | 'refund.look-up'
    | 'refund.resolve'
    | 'statement-day.close'
    | 'statement-file.import'
    | 'statement-mapping.approve'
    | 'webhook.enable'
    | 'webhook.pause'
    | 'webhook.recover';
  readonly target: string;
  /** Where neither the target nor the record names it. */
  readonly accountId?: string;
  /** The public shape of the record before and after; never a secret. */
  readonly before: object | null;
  readonly after: object | null;
}

/**
 * What operators, and the people of merchants, read that holds personal data. `list.file` is of a list that is saved as a file
 * and of which pages leave no row; its target names the operation.
 */
export interface AuditedRead {
  readonly action:
    | 'account.list'
    | 'account.read'
    | 'account.statement'
    | 'approval.list'
    | 'approval.read'
    | 'audit.list'
    | 'dead-letter.read'
    | 'delivery.read'
    | 'deposit.list'
    | 'deposit.read'
    | 'dispute.list'
    | 'dispute.read'
    | 'dispute.read-file'
    | 'event.read'
    | 'exception.read'
    | 'export.create'
    | 'file.read'
    | 'line.list'
    | 'list.file'
    | 'payout.list'
    | 'payout.read'
    | 'search'
    | 'unread-item.list';
  readonly target: string;
  readonly accountId: string | null;
  readonly filter: object | null;
  readonly records: number | null;
}

/** A read waits no longer than this for its row. */
const recordReadMs = 2_000;

/** Leaves the trace of a change in the transaction that makes it (api.md 5). */
export function recordAudit(tx: Tx, act: OperatorAct, change: AuditedChange & { readonly id?: string }): void {
  tx.em.create(AuditEntity, {
    id: newId('audit'),
    operator: auditedName(act),
    kind: 'change',
    filter: null,
    records: null,
    requestId: act.requestId,
    createdAt: act.at,
    ...change,
    accountId: accountOf(change),
  });
}

/** The names of a merchant's people are their own: with `merchant:` before them, they are no operator's. */
function auditedName({ operator, team }: OperatorAct): string {
  return team ? `${merchantName}:${operator}` : operator;
}

function accountOf({ accountId, target, before, after }: Omit<AuditedChange, 'action'>): string | null {
  const record: { readonly account_id?: unknown } = after ?? before ?? {};
  if (accountId !== undefined) return accountId;
  if (typeof record.account_id === 'string') return record.account_id;
  const [first = ''] = target.split('/');
  return isId('account', first) ? first : null;
}

/**
 * Leaves the trace of a read before what was read is answered: one insert.
 *
 * @returns the id of the row
 * @throws DomainError SERVICE_UNAVAILABLE when it is not written in time; then nothing may be answered
 */
export async function recordRead(database: Database, act: OperatorAct, read: AuditedRead): Promise<string> {
  const id = newId('audit');
  const written = database.query(
    `insert into audit (id, kind, operator, action, target, account_id, filter, records, request_id, created_at)
     values ($1, 'read', $2, $3, $4, $5, $6, $7, $8, $9)`,
    [id, auditedName(act), read.action, read.target, read.accountId, read.filter, read.records, act.requestId, act.at],
  );
  const late = new AbortController();
  const tooLate = sleep(recordReadMs, undefined, late).then(() => {
    throw new Error(`not written within ${recordReadMs} ms`);
  });
  try {
    await Promise.race([written, tooLate]);
    return id;
  } catch (cause) {
    throw new DomainError('SERVICE_UNAVAILABLE', 'the audit trail cannot be written', { retryAfterSec: 1, cause });
  } finally {
    late.abort();
    tooLate.catch(() => undefined);
  }
}

/** Of a list that is written while it is read. */
export async function completeRead(database: Database, id: string, records: number): Promise<void> {
  await database.query('update audit set records = $2 where id = $1', [id, records]);
}

type ChangeElsewhere = Pick<AuditedChange, 'before' | 'after'> & Partial<Pick<AuditedChange, 'action' | 'target'>>;

/**
 * Leaves the trace of a change that another service makes. It is written before that service is asked, and completed with
 * what was before and after: should this process end in between, or no answer come, the trace is there and names
 * the operator and the change. What was refused has changed nothing and leaves none.
 *
 * @param work asks, and may name the action and its target more closely
 */
export async function auditAcross<Change extends ChangeElsewhere>(
  database: Database,
  act: OperatorAct,
  { action, target, accountId }: Pick<AuditedChange, 'action' | 'target' | 'accountId'>,
  work: () => Promise<Change>,
): Promise<Change> {
  const id = newId('audit');
  const known = accountId === undefined ? {} : { accountId };
  const intention = { id, action, target, ...known, before: null, after: null };
  await database.transaction(async (tx) => recordAudit(tx, act, intention));
  const change = await work().catch(async (error: unknown) => {
    if (isRefusal(error))
      await database.transaction(async (tx) => void (await tx.em.nativeDelete(AuditEntity, { id })));
    throw error;
  });
  const { before, after } = change;
  const done = { action: change.action ?? action, target: change.target ?? target, before, after };
  const owned = { ...done, accountId: accountOf({ ...done, ...known }) };
  await database.transaction(async (tx) => void (await tx.em.nativeUpdate(AuditEntity, { id }, owned)));
  return change;
}

/** A fault of the other service, or a provider that did not answer it, may have come after the change. */
function isRefusal(error: unknown): boolean {
  if (error instanceof NoAnswerError) return error.received === 'no';
  return error instanceof DomainError && statusOf(error.code) < 500;
}
