import { getReturn, resolveRefund } from '@gateway/contracts/deposits';
import type { ReplyOf } from '@gateway/contracts/messages';
import { type Askable, type Bus, callRpc } from '@gateway/messaging';
import type { Database, Tx } from '@gateway/persistence';
import { presentOperatorRefund, presentOrphanReceipt, type ResolveRefundRequest } from '@gateway/public-api';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { proposeAlone } from '#src/approvals/one-at-a-time.ts';
import { requireOffered } from '#src/proposals/offered-outcomes.ts';

const depositsTimeoutMs = 8_000;

/**
 * What one operator has found out about money on its way back to a payer, for another to approve; nothing changes yet.
 *
 * @throws NotFoundError for an id of neither a refund nor an orphan receipt; DomainError INVALID_STATE for an outcome that
 *   would be refused once it is approved, and while another proposal about it is open
 */
export async function proposeResolution(
  { database, bus }: { readonly database: Database; readonly bus: Askable },
  act: OperatorAct,
  target: string,
  { outcome, evidence, return_id }: ResolveRefundRequest,
): Promise<Approval> {
  const found = await callRpc(bus, getReturn, { id: target });
  const { environment, accountId, outcomes } = found.record;
  requireOffered(outcomes, outcome, found.kind === 'refund' ? 'refund' : 'receipt');
  const request = { refund_id: target, outcome, evidence, return_id: return_id ?? null };
  const subject = { kind: 'refund.resolve', environment, accountId, target, reason: evidence } as const;
  return await proposeAlone(database, act, { ...subject, request, before: presented(found) });
}

/** Carried out by the service that keeps refunds; asked again for the same, it answers what it has done. */
export function refundResolutionRules(bus: Bus): ApprovalRules {
  const apply = async ({
    id: approvalId,
    target,
    request,
    proposedBy,
    approvedBy,
    createdAt,
    before: seen,
  }: Approval) => {
    const { outcome, evidence, return_id: returnId } = request as unknown as Required<ResolveRefundRequest>;
    const two = { proposedBy, approvedBy: approvedBy ?? '' };
    const status = String(seen?.['status'] ?? seen?.['state']);
    const proposal = { at: createdAt.toISOString(), status };
    const wanted = { id: target, outcome, evidence, returnId: returnId ?? null, ...two, approvalId, proposal };
    const resolved = await callRpc(bus, resolveRefund, wanted, { timeoutMs: depositsTimeoutMs });
    return async (tx: Tx, act: OperatorAct) => {
      const [before, after] = changeOf(resolved);
      recordAudit(tx, act, { action: 'refund.resolve', target, before, after });
      return { outcome: after };
    };
  };
  return { apply };
}

function presented(found: ReplyOf<typeof getReturn>): object {
  return found.kind === 'refund' ? presentOperatorRefund(found.record) : presentOrphanReceipt(found.record);
}

function changeOf(resolved: ReplyOf<typeof resolveRefund>): readonly [object, object] {
  if (resolved.kind === 'refund')
    return [presentOperatorRefund(resolved.before), presentOperatorRefund(resolved.after)];
  return [presentOrphanReceipt(resolved.before), presentOrphanReceipt(resolved.after)];
}
