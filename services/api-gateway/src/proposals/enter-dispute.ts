import { enterDispute, findContestedPayment } from '@gateway/contracts/deposits';
import { DomainError } from '@gateway/contracts/errors';
import type { Environment } from '@gateway/contracts/values';
import { type Askable, type Bus, callRpc } from '@gateway/messaging';
import type { Database, Tx } from '@gateway/persistence';
import { type EnterDisputeRequest, presentOperatorDispute } from '@gateway/public-api';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { proposeApproval } from '#src/approvals/propose-approval.ts';

const depositsTimeoutMs = 8_000;

/** What an approval carries out: the payment as it was found, and what the letter says. Times as ISO 8601 in UTC. */
interface Wanted {
  readonly environment: Environment;
  readonly deposit_id: string;
  readonly e2e_id: string;
  readonly provider: string;
  readonly currency: string;
  readonly amount_cents: number;
  readonly reason: EnterDisputeRequest['reason'];
  readonly dispute_ref: string;
  readonly opened_at: string;
  readonly defense_due_at: string | null;
  readonly evidence: string;
}

/**
 * A dispute that its provider reports over no interface, for another operator to approve; nothing is blocked yet.
 *
 * @throws NotFoundError for a payment that is not there; ValidationError for one of the other environment, and for more than
 *   is left of it; DomainError INVALID_STATE where its provider reports disputes itself, and where the dispute is on record
 *   or waits for another operator
 */
export async function proposeDispute(
  { database, bus }: { readonly database: Database; readonly bus: Askable },
  act: OperatorAct,
  { deposit_id, e2e_id, defense_due_at, reason = null, ...said }: EnterDisputeRequest,
): Promise<Approval> {
  const { environment, amount_cents: amount, dispute_ref: disputeRef, evidence } = said;
  const openedAt = inUtc(said.opened_at);
  const named = { ...(deposit_id && { depositId: deposit_id }), ...(e2e_id && { e2eId: e2e_id }) };
  const asked = { environment, ...named, amount, disputeRef, openedAt };
  const { accountId, depositId, e2eId, provider, currency } = await callRpc(bus, findContestedPayment, asked);
  const wanted: Wanted = {
    ...{ environment, deposit_id: depositId, e2e_id: e2eId, provider, currency, amount_cents: amount, reason },
    ...{ dispute_ref: disputeRef, opened_at: openedAt },
    defense_due_at: defense_due_at ? inUtc(defense_due_at) : null,
    evidence,
  };
  await requireNotWaiting(database, wanted);
  const subject = { kind: 'dispute.enter', environment, accountId, target: depositId, reason: evidence } as const;
  return await database.transaction(async (tx) =>
    proposeApproval(tx, act, { ...subject, request: wanted, before: null }),
  );
}

/** Of two proposals of one dispute, carried out one after the other, the second would be refused. */
async function requireNotWaiting(
  database: Database,
  { deposit_id: depositId, dispute_ref: disputeRef }: Wanted,
): Promise<void> {
  const [waiting] = await database.query<Pick<Approval, 'id'>>(
    `select id from approval where kind = 'dispute.enter' and target = $1 and request ->> 'dispute_ref' = $2
       and state in ('PROPOSED', 'APPLYING') limit 1`,
    [depositId, disputeRef],
  );
  if (waiting) throw new DomainError('INVALID_STATE', `the same dispute waits for another operator as ${waiting.id}`);
}

/** Opened by the service that keeps disputes, once for the approval. */
export function disputeEntryRules(bus: Bus): ApprovalRules {
  const apply = async ({ id: approvalId, request, proposedBy, approvedBy }: Approval) => {
    const { deposit_id: depositId, e2e_id: e2eId, amount_cents: amount, ...said } = request as unknown as Wanted;
    const { environment, reason = null, dispute_ref: disputeRef, opened_at: openedAt, defense_due_at: dueAt } = said;
    const wanted = {
      ...{ environment, depositId, e2eId, amount, reason, disputeRef, openedAt, dueAt, evidence: said.evidence },
      ...{ approvalId, proposedBy, approvedBy: approvedBy ?? '' },
    };
    const { dispute } = await callRpc(bus, enterDispute, wanted, { timeoutMs: depositsTimeoutMs });
    return async (tx: Tx, act: OperatorAct) => {
      const after = presentOperatorDispute(dispute);
      recordAudit(tx, act, { action: 'dispute.enter', target: after.id, before: null, after });
      return { outcome: after };
    };
  };
  return { apply };
}

function inUtc(instant: string): string {
  return new Date(instant).toISOString();
}
