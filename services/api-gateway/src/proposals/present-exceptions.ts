import { declaredLine, type ReconciliationException, type ResolutionAction } from '@gateway/contracts/reconciler';
import type { Database } from '@gateway/persistence';
import { type ApprovedResolution, type ExceptionResource, presentException } from '@gateway/public-api';
import { type Approval, ApprovalEntity } from '#src/approvals/approval.ts';

/** What an approval carries out; of an adjustment also its account, currency and amount. */
export interface Wanted {
  readonly action: ResolutionAction;
  readonly note: string;
  readonly with: string | null;
  readonly account_id: string | null;
  readonly currency: string;
  readonly amount_cents: number | null;
}

/**
 * Exceptions, each with what its approval carries out: the one that waits, whatever the reconciler shows, else the one that
 * it was resolved by.
 */
export async function presentExceptions(
  database: Database,
  exceptions: readonly ReconciliationException[],
): Promise<ExceptionResource[]> {
  const named = exceptions.flatMap(({ proposal }) => proposal?.approvalId ?? []);
  const state = { $in: ['PROPOSED', 'APPLYING'] } as const;
  const waiting = { target: { $in: exceptions.map(({ id }) => id) }, state };
  const approvals = await database
    .reader()
    .find(ApprovalEntity, { kind: 'exception.resolve', $or: [waiting, { id: { $in: named } }] });
  return exceptions.map((exception) => {
    const own = approvals.filter(({ target }) => target === exception.id);
    const open = own.find((approval) => approval.state === 'PROPOSED' || approval.state === 'APPLYING');
    const approval = open ?? own.find(({ id }) => id === exception.proposal?.approvalId);
    return presentException(exception, approval ? approvedBy(approval) : null);
  });
}

/** What the approval carries out, by the sums that its proposer saw. */
export function approvedBy(approval: Approval): ApprovedResolution {
  const { id: approvalId, proposedBy } = approval;
  const wanted = approval.request as unknown as Wanted;
  return { ...whatIsDone(wanted, seenBy(approval)), approvalId, proposedBy };
}

export function whatIsDone(wanted: Wanted, seen: Seen): Omit<ApprovedResolution, 'approvalId' | 'proposedBy'> {
  const { action, note, with: other, account_id: accountId, amount_cents: amount } = wanted;
  const isAdjusted = action === 'adjust';
  return {
    ...{ action, note, with: other },
    amount: isAdjusted ? amount : (declaredLine(wanted, seen)?.amount ?? null),
    accountId: isAdjusted ? accountId : null,
  };
}

type Seen = Pick<ReconciliationException, 'subject' | 'lineAmount' | 'recordAmount' | 'ledgerAmount'>;

/** The sums that the proposer saw, and the approver. */
export function seenBy({ before }: Approval): Seen {
  const { subject, line_cents, record_cents, ledger_cents } = before as unknown as ExceptionResource;
  return { subject, lineAmount: line_cents, recordAmount: record_cents, ledgerAmount: ledger_cents };
}
