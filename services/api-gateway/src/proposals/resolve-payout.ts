import { DomainError } from '@gateway/contracts/errors';
import {
  getOperatorPayout,
  type OperatorPayout,
  payoutStatusSchema,
  resolutionOutcomeSchema,
  resolvePayout as resolveAtPayouts,
} from '@gateway/contracts/payouts';
import { type Bus, callRpc, type TimedBus } from '@gateway/messaging';
import type { Database, Tx } from '@gateway/persistence';
import { type OperatorPayoutResource, presentOperatorPayout } from '@gateway/public-api';
import { type Approval, ApprovalEntity, type ApprovalRules } from '#src/approvals/approval.ts';
import { type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { type ApprovalServices, approve, endUnapplied, lockApproval } from '#src/approvals/decide-approval.ts';
import { besideOthers, type OneAtATime } from '#src/approvals/one-at-a-time.ts';
import { proposeApproval } from '#src/approvals/propose-approval.ts';

const payoutsTimeoutMs = 8_000;

export interface Resolution {
  readonly payoutId: string;
  readonly outcome: 'paid' | 'failed';
  readonly evidence: string;
}

export interface Resolved {
  readonly status: 'PROPOSED' | 'APPLIED';
  readonly payout: OperatorPayoutResource;
  readonly approval: Approval;
}

type Services = ApprovalServices & { readonly bus: TimedBus };

/**
 * Records what one operator reports to have become of a payout. It is a proposal, until a second operator reports the same
 * outcome, which approves it. Another outcome takes the place of the one proposed.
 *
 * @throws DomainError INVALID_STATE for a payout that is not PROCESSING and needs no attention
 */
export async function resolvePayout(services: Services, act: OperatorAct, resolution: Resolution): Promise<Resolved> {
  const { database, bus } = services;
  const one: OneAtATime = {
    kind: 'payout.resolve',
    target: resolution.payoutId,
    constraint: 'approval_of_payout',
    busy: 'the payout is being resolved by others',
  };
  return await besideOthers(database, one, async (open) => {
    if (open && proposedOutcome(open) === resolution.outcome) {
      if (open.proposedBy !== act.operator) return await confirm(services, act, open, resolution.evidence);
      const { payout } = await callRpc(bus, getOperatorPayout, { id: resolution.payoutId });
      return { status: 'PROPOSED', payout: withResolution(payout, open), approval: open };
    }
    const { payout } = await callRpc(bus, getOperatorPayout, { id: resolution.payoutId });
    if (payout.status !== 'PROCESSING' && payout.attentionAt === null) {
      throw new DomainError('INVALID_STATE', `a payout that is ${payout.status} cannot be resolved`);
    }
    const approval = await propose(services, act, resolution, { payout, open });
    return { status: 'PROPOSED', payout: withResolution(payout, approval), approval };
  });
}

async function confirm(services: Services, act: OperatorAct, { id }: Approval, evidence: string): Promise<Resolved> {
  const { approval } = await approve(services, act, { id, reason: evidence });
  const { payout } = approval.outcome as { payout: OperatorPayoutResource };
  return { status: 'APPLIED', payout, approval };
}

async function propose(
  { database, rules }: ApprovalServices,
  act: OperatorAct,
  { outcome, evidence }: Resolution,
  { payout, open }: { readonly payout: OperatorPayout; readonly open: Approval | null },
): Promise<Approval> {
  const { environment, accountId, id: target, status } = payout;
  return await database.transaction(async (tx) => {
    if (open) await supersede(tx, rules, act, open);
    const approval = proposeApproval(tx, act, {
      kind: 'payout.resolve',
      environment,
      accountId,
      target,
      before: { status },
      reason: evidence,
      request: { payout_id: target, outcome, evidence },
    });
    const [before, after] = [withResolution(payout, open), withResolution(payout, approval)];
    recordAudit(tx, act, { action: 'payout.propose-resolution', target, before, after });
    return approval;
  });
}

async function supersede(tx: Tx, rules: ApprovalServices['rules'], act: OperatorAct, { id }: Approval): Promise<void> {
  const approval = await lockApproval(tx, id);
  if (approval.state === 'APPLYING') {
    throw new DomainError('INVALID_STATE', 'another resolution of the payout is being carried out');
  }
  if (approval.state !== 'PROPOSED') return;
  await endUnapplied(tx, rules, approval, { act, reason: 'another outcome was proposed' });
  // The one that takes its place is inserted before updates are written, unless they are now.
  await tx.em.flush();
}

/** What two operators say is carried out once under the approval's id, however often that is asked. */
export function payoutResolutionRules(bus: Bus): ApprovalRules {
  const apply = async (approval: Approval) => {
    const { id: approvalId, target, approvedBy, proposedBy, decisionReason, createdAt, before: seen } = approval;
    const evidence = String(approval.request['evidence']);
    const status = payoutStatusSchema.optional().parse(seen?.['status']);
    const proposal = { approvalId, operator: proposedBy, evidence, at: createdAt.toISOString(), status };
    const request = {
      id: target,
      operator: approvedBy ?? '',
      outcome: proposedOutcome(approval),
      proposal,
      // An approval without a remark rests on the evidence of the proposal.
      evidence: decisionReason ?? evidence,
    };
    const { before, payout } = await callRpc(bus, resolveAtPayouts, request, { timeoutMs: payoutsTimeoutMs });
    return async (tx: Tx, act: OperatorAct) => {
      const [was, is] = [presentOperatorPayout(before), presentOperatorPayout(payout)];
      recordAudit(tx, act, { action: 'payout.resolve', target, before: was, after: is });
      return { outcome: { status: 'APPLIED', payout: is } };
    };
  };
  return { apply };
}

/** Payouts as operators see them, with what is proposed to have become of them. */
export async function presentPayouts(
  database: Database,
  payouts: readonly OperatorPayout[],
): Promise<OperatorPayoutResource[]> {
  const open = await database.reader().find(ApprovalEntity, {
    kind: 'payout.resolve',
    state: { $in: ['PROPOSED', 'APPLYING'] },
    target: { $in: payouts.map(({ id }) => id) },
  });
  return payouts.map((payout) => withResolution(payout, open.find(({ target }) => target === payout.id) ?? null));
}

function proposedOutcome({ request }: Approval): Resolution['outcome'] {
  return resolutionOutcomeSchema.parse(request['outcome']);
}

/** The payouts service has a resolution that two operators agreed on; a proposal of one is kept here. */
function withResolution(payout: OperatorPayout, open: Approval | null): OperatorPayoutResource {
  const presented = presentOperatorPayout(payout);
  if (presented.resolution?.confirmed_by) return presented;
  const resolution = open && {
    approval_id: open.id,
    outcome: proposedOutcome(open),
    evidence: String(open.request['evidence']),
    proposed_by: open.proposedBy,
    proposed_at: open.createdAt.toISOString(),
    confirmed_by: null,
    confirmation: null,
  };
  return { ...presented, resolution };
}
