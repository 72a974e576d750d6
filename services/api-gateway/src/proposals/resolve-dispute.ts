import { getOperatorDispute, resolveDispute } from '@gateway/contracts/deposits';
import { type Askable, type Bus, callRpc } from '@gateway/messaging';
import type { Database, Tx } from '@gateway/persistence';
import { presentOperatorDispute, type ResolveContradictionRequest } from '@gateway/public-api';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { proposeAlone } from '#src/approvals/one-at-a-time.ts';
import { requireOffered } from '#src/proposals/offered-outcomes.ts';

const depositsTimeoutMs = 8_000;

/**
 * What one operator has found out about a dispute whose provider contradicts itself, or that was entered by hand, for
 * another to approve; nothing changes yet.
 *
 * @throws NotFoundError; DomainError INVALID_STATE for an outcome that would be refused once it is approved, and while another
 *   proposal about it is open
 */
export async function proposeDisputeResolution(
  { database, bus }: { readonly database: Database; readonly bus: Askable },
  act: OperatorAct,
  target: string,
  { outcome, evidence, lost_cents }: ResolveContradictionRequest,
): Promise<Approval> {
  const { dispute } = await callRpc(bus, getOperatorDispute, { id: target });
  const { environment, accountId, outcomes } = dispute;
  requireOffered(outcomes, outcome, 'dispute');
  const request = { dispute_id: target, outcome, evidence, lost_cents: lost_cents ?? null };
  const subject = { kind: 'dispute.resolve', environment, accountId, target, reason: evidence } as const;
  const before = presentOperatorDispute(dispute);
  return await proposeAlone(database, act, { ...subject, request, before });
}

/** Carried out by the service that keeps disputes, once under the approval's id. */
export function disputeResolutionRules(bus: Bus): ApprovalRules {
  const apply = async ({ id: approvalId, target, request, proposedBy, approvedBy, createdAt }: Approval) => {
    const { outcome, evidence, lost_cents: lostAmount } = request as unknown as Required<ResolveContradictionRequest>;
    const result = { outcome, evidence, lostAmount: lostAmount ?? null };
    const two = { proposedBy, approvedBy: approvedBy ?? '', proposedAt: createdAt.toISOString() };
    const wanted = { id: target, approvalId, ...result, ...two };
    const resolved = await callRpc(bus, resolveDispute, wanted, { timeoutMs: depositsTimeoutMs });
    return async (tx: Tx, act: OperatorAct) => {
      const [before, after] = [presentOperatorDispute(resolved.before), presentOperatorDispute(resolved.after)];
      recordAudit(tx, act, { action: 'dispute.resolve', target, before, after });
      return { outcome: after };
    };
  };
  return { apply };
}
