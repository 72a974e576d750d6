import { getReconciliation, type Reconciliation, signOffReconciliation } from '@gateway/contracts/ledger';
import { DomainError } from '@gateway/contracts/errors';
import { type Askable, type Bus, callRpc } from '@gateway/messaging';
import type { Database, Tx } from '@gateway/persistence';
import { presentReconciliation, type ReconciliationResource } from '@gateway/public-api';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { auditAcross, type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { proposeAlone } from '#src/approvals/one-at-a-time.ts';
import { requirePermission } from '#src/approvals/permissions.ts';

interface Services {
  readonly database: Database;
  readonly bus: Askable;
}

/** Signed off by the one operator, or proposed for another. */
type SignedOff = { readonly reconciliation: ReconciliationResource } | { readonly approval: Approval };

/**
 * An operator answers for a reconciliation where everything agrees, at once. Where something does not, it takes another one.
 *
 * @throws NotFoundError; DomainError INVALID_STATE for one that is signed off, and while it is proposed; PERMISSION_DENIED
 */
export async function signOffOrPropose(
  { database, bus }: Services,
  act: OperatorAct,
  id: string,
  reason: string,
): Promise<SignedOff> {
  const { reconciliation } = await callRpc(bus, getReconciliation, { id });
  if (reconciliation.status !== 'OK') return { approval: await propose(database, act, reconciliation, reason) };
  requirePermission(act, 'operations:write');
  const change = { action: 'reconciliation.sign-off', target: id } as const;
  const { after } = await auditAcross(database, act, change, async () => {
    const signed = await callRpc(bus, signOffReconciliation, { id, by: act.operator, reason, approvalId: null });
    return { before: presentReconciliation(signed.before), after: presentReconciliation(signed.after) };
  });
  return { reconciliation: after };
}

async function propose(
  database: Database,
  act: OperatorAct,
  reconciliation: Reconciliation,
  reason: string,
): Promise<Approval> {
  const { id: target, signedOff } = reconciliation;
  if (signedOff) throw new DomainError('INVALID_STATE', `the reconciliation was signed off by ${signedOff.by}`);
  const subject = { kind: 'reconciliation.sign-off', environment: null, accountId: null, target, reason } as const;
  const before = presentReconciliation(reconciliation);
  return await proposeAlone(database, act, { ...subject, request: { reconciliation_id: target, reason }, before });
}

/** Written down by the ledger, once under the approval's id. What was found does not change. */
export function signOffRules(bus: Bus): ApprovalRules {
  const apply = async ({ id: approvalId, target: id, reason, proposedBy, approvedBy }: Approval) => {
    const by = `${proposedBy}, ${approvedBy ?? ''}`;
    const signed = await callRpc(bus, signOffReconciliation, { id, by, reason: reason ?? '', approvalId });
    return async (tx: Tx, act: OperatorAct) => {
      const [before, after] = [presentReconciliation(signed.before), presentReconciliation(signed.after)];
      recordAudit(tx, act, { action: 'reconciliation.sign-off', target: id, before, after });
      return { outcome: after };
    };
  };
  return { apply };
}
