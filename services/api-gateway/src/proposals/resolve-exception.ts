import { DomainError, ValidationError } from '@gateway/contracts/errors';
import { ledgerCommand, type LedgerResult } from '@gateway/contracts/ledger';
import {
  declaredLine,
  proposeResolution,
  reopenException,
  resolveException,
  type ReconciliationException,
} from '@gateway/contracts/reconciler';
import type { Environment } from '@gateway/contracts/values';
import { type Askable, type Bus, callRpc, type LedgerCommandClient } from '@gateway/messaging';
import { type Currency, currencySchema, newId } from '@gateway/money';
import { type Database, type Tx, violatedConstraint } from '@gateway/persistence';
import { presentException, type ResolutionRequest } from '@gateway/public-api';
import type { Logger } from '@gateway/runtime';
import { AccountEntity } from '#src/accounts/account.ts';
import { type Approval, ApprovalEntity, type ApprovalRules } from '#src/approvals/approval.ts';
import type { OperatorAct } from '#src/approvals/audit.ts';
import { recordAudit } from '#src/approvals/audit.ts';
import { proposeApproval } from '#src/approvals/propose-approval.ts';
import { AdjustmentEntity } from '#src/proposals/adjustment.ts';
import { bookDeclaredLine } from '#src/proposals/declare-own-transfer.ts';
import { approvedBy, seenBy, type Wanted, whatIsDone } from '#src/proposals/present-exceptions.ts';

const timeout = { timeoutMs: 4_000 };
/** How long the ledger is waited for; unanswered, it is asked the same again. */
const ledgerTimeoutMs = 4_000;

interface Services {
  readonly database: Database;
  readonly bus: Askable;
}

/**
 * What is to be done about an exception, for another operator to approve. The reconciler shows it as proposed; what it shows
 * decides nothing, and is replaced by the next proposal, should this process end before there is an approval.
 *
 * @throws NotFoundError; DomainError INVALID_STATE while another proposal waits, or where the action does not fit;
 *   ValidationError for an account or another side that is not there
 */
export async function proposeExceptionResolution(
  { database, bus }: Services,
  act: OperatorAct,
  id: string,
  request: ResolutionRequest,
): Promise<{ readonly exception: ReconciliationException; readonly approval: Approval }> {
  if (await openApprovalOf(database, id)) throw isProposed();
  if (request.account_id) await requireAccount(database, request.account_id);
  const approvalId = newId('approval');
  const resolution = { action: request.action, note: request.note, with: request.with ?? null };
  const proposed = { id, approvalId, resolution, proposedBy: act.operator };
  const { exception } = await callRpc(bus, proposeResolution, proposed, timeout);
  const { environment, currency } = exception;
  const accountId = request.account_id ?? exception.accountId;
  try {
    if (request.action === 'adjust') requireAdjustable(accountId, currency);
    const wanted: Wanted = {
      ...resolution,
      account_id: accountId,
      currency,
      amount_cents: request.amount_cents ?? null,
    };
    const subject = { id: approvalId, kind: 'exception.resolve', environment, accountId, target: id } as const;
    const approved = { ...whatIsDone(wanted, exception), approvalId, proposedBy: act.operator };
    const before = presentException(exception, approved);
    const proposal = { ...subject, request: wanted, before, reason: request.note };
    const approval = await database.transaction(async (tx) => proposeApproval(tx, act, proposal));
    return { exception, approval };
  } catch (error) {
    await callRpc(bus, reopenException, { id, approvalId }, timeout).catch(() => undefined);
    throw violatedConstraint(error) === 'approval_of_exception' ? isProposed() : error;
  }
}

function isProposed(): DomainError {
  return new DomainError('INVALID_STATE', 'what is proposed for the exception waits for another operator');
}

async function requireAccount(database: Database, id: string): Promise<void> {
  if ((await database.reader().count(AccountEntity, { id })) > 0) return;
  throw new ValidationError([{ path: 'account_id', message: 'is not the id of an account' }]);
}

function requireAdjustable(accountId: string | null, currency: string): void {
  if (accountId === null) {
    throw new ValidationError([{ path: 'account_id', message: 'is required: the exception names no account' }]);
  }
  if (!currencySchema.safeParse(currency).success) {
    throw new DomainError('INVALID_STATE', `no account has a balance in ${currency}`);
  }
}

/** The proposal that waits or is being carried out. */
async function openApprovalOf(database: Database, exceptionId: string): Promise<Approval | undefined> {
  const state = { $in: ['PROPOSED', 'APPLYING'] } as const;
  const where = { kind: 'exception.resolve', target: exceptionId, state } as const;
  return (await database.reader().findOne(ApprovalEntity, where)) ?? undefined;
}

/**
 * The proposal that an operator decides: the one that was read, or without an id the one that waits. Another one may have
 * taken the place of the former since, with another amount: that one is not decided.
 *
 * @throws DomainError INVALID_STATE where it was not proposed for this exception, or nothing is
 */
export async function approvalOfException(
  database: Database,
  exceptionId: string,
  id: string | undefined,
): Promise<Approval> {
  if (id === undefined) {
    const open = await openApprovalOf(database, exceptionId);
    if (open) return open;
    throw new DomainError('INVALID_STATE', 'nothing is proposed for the exception');
  }
  const where = { id, kind: 'exception.resolve', target: exceptionId } as const;
  const approval = await database.reader().findOne(ApprovalEntity, where);
  if (approval) return approval;
  throw new DomainError('INVALID_STATE', `${id} is not proposed for the exception; read what is`);
}

interface CarryingOut {
  readonly bus: Bus;
  readonly ledgerClient: LedgerCommandClient;
  readonly logger: Logger;
}

/**
 * First the reconciler resolves the exception, unless its sides have changed; then the ledger adjusts, under one command id
 * for one exception. Both answer the same when they are asked again. What the ledger refuses leaves the exception open.
 */
export function exceptionRules({ bus, ledgerClient, logger }: CarryingOut): ApprovalRules {
  const reopen = async ({ id: approvalId, target }: Approval) =>
    await callRpc(bus, reopenException, { id: target, approvalId }, timeout);
  const apply = async (approval: Approval) => {
    const wanted = approval.request as unknown as Wanted;
    const { exception } = await callRpc(bus, resolveException, decisionOf(approval, wanted), timeout);
    const declared = declaredLine(wanted, seenBy(approval));
    if (declared) {
      try {
        await bookDeclaredLine({ bus, ledgerClient }, exception, declared);
      } catch (error) {
        if (error instanceof DomainError && error.code === 'INVALID_STATE') await reopen(approval);
        throw error;
      }
    }
    if (wanted.action === 'adjust') {
      const result = await ledgerClient.request(ledgerCommand, adjustmentCommand(exception, wanted), {
        timeoutMs: ledgerTimeoutMs,
      });
      if (result.outcome !== 'applied') {
        await reopen(approval);
        throw refusalOf(result);
      }
    }
    return async (tx: Tx, act: OperatorAct) => {
      if (wanted.action === 'adjust') keepAdjustment(tx, act, approval, adjustmentCommand(exception, wanted));
      const after = presentException(exception, approvedBy(approval));
      recordAudit(tx, act, {
        action: 'exception.resolve',
        target: exception.id,
        before: approval.before ?? null,
        after,
      });
      return { outcome: after };
    };
  };
  const ended = async (tx: Tx, approval: Approval) => {
    tx.afterCommit(() => {
      reopen(approval).catch((err: unknown) => {
        logger.warn(
          { err, exceptionId: approval.target },
          'an exception is shown as proposed until it is proposed again',
        );
      });
    });
  };
  return { apply, ended };
}

/** For the sums that the approver saw. */
function decisionOf(approval: Approval, wanted: Wanted) {
  const { id: approvalId, target, proposedBy, approvedBy: approver } = approval;
  const { subject: _, ...seen } = seenBy(approval);
  return {
    ...{ id: target, approvalId, proposedBy, approvedBy: approver ?? '', seen },
    resolution: { action: wanted.action, note: wanted.note, with: wanted.with },
  };
}

function adjustmentCommand({ id, environment }: ReconciliationException, wanted: Wanted) {
  const command = { kind: 'adjust', id: `adjust:${id}`, adjustmentId: adjustmentIdOf(id), environment } as const;
  const { account_id: accountId, currency, amount_cents: amount } = wanted;
  return { ...command, accountId: accountId ?? '', currency: currency as Currency, amount: amount ?? 0 };
}

/** Under the same ULID: an exception has one adjustment at most. */
function adjustmentIdOf(exceptionId: string): string {
  return `adj_${exceptionId.slice('exc_'.length)}`;
}

interface Adjusted {
  readonly adjustmentId: string;
  readonly accountId: string;
  readonly environment: Environment;
  readonly currency: Currency;
  readonly amount: number;
}

/** The record behind the line of the merchant's statement. */
function keepAdjustment(
  tx: Tx,
  act: OperatorAct,
  { id, request, proposedBy, createdAt }: Approval,
  adjusted: Adjusted,
) {
  const { adjustmentId, accountId, environment, currency, amount } = adjusted;
  tx.em.create(AdjustmentEntity, {
    ...{ id: adjustmentId, accountId, environment, currency, amount, reason: (request as unknown as Wanted).note },
    ...{ externalId: id, status: 'APPLIED', proposedBy, approvedBy: act.operator, approvedAt: act.at },
    ...{ createdAt, decidedAt: act.at },
  });
}

function refusalOf({ refusal, outcome }: LedgerResult): DomainError {
  if (refusal === 'insufficient_funds') {
    return new DomainError('INSUFFICIENT_FUNDS', 'the available balance does not cover the adjustment');
  }
  return new DomainError('INVALID_STATE', `the ledger refused the adjustment: ${refusal ?? outcome}`);
}
