import { approvePayout as approveAtPayouts, getOperatorPayout, type OperatorPayout } from '@gateway/contracts/payouts';
import { type Bus, callRpc, type TimedBus } from '@gateway/messaging';
import type { Database, Tx } from '@gateway/persistence';
import { type OperatorPayoutResource, presentOperatorPayout } from '@gateway/public-api';
import { requireNoFreeze } from '#src/accounts/freeze-account.ts';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { auditAcross, type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { type ApprovalServices, approve } from '#src/approvals/decide-approval.ts';
import { besideOthers, type OneAtATime } from '#src/approvals/one-at-a-time.ts';
import { requireConfirmed } from '#src/approvals/permissions.ts';
import { proposeApproval } from '#src/approvals/propose-approval.ts';
import { type ApprovalLimit, takeFromLimit } from '#src/proposals/approval-limit.ts';

const payoutsTimeoutMs = 8_000;

type Approved =
  | { readonly status: 'APPLIED'; readonly payout: OperatorPayoutResource }
  | { readonly status: 'PROPOSED'; readonly payout: OperatorPayoutResource; readonly approval: Approval };

type Services = ApprovalServices & { readonly bus: TimedBus; readonly approvalLimit: ApprovalLimit };

/**
 * Lets a PENDING payout go its way: at once within what one operator approves alone, and in test mode, where no money
 * moves; beyond that it is a proposal, until a second operator approves it too.
 *
 * @throws DomainError INVALID_STATE for one that is not PENDING; ACCOUNT_FROZEN; PERMISSION_DENIED to an operator who
 *   may neither propose nor decide what moves money, beyond the limit; SECOND_PERSON_REQUIRED as `approve`
 */
export async function approvePayout(services: Services, act: OperatorAct, payoutId: string): Promise<Approved> {
  const { database, bus, approvalLimit } = services;
  const { payout } = await callRpc(bus, getOperatorPayout, { id: payoutId });
  await requireNoFreeze(database, payout);
  requireConfirmed(act);
  const isOpen = payout.environment === 'live' && payout.status === 'PENDING';
  if (isOpen && !(await takeFromLimit(database, approvalLimit, act, payout)))
    return await approveByTwo(services, act, payout);
  const request = { id: payoutId, operator: act.operator };
  const { after } = await auditAcross(database, act, { action: 'payout.approve', target: payoutId }, async () =>
    presentedChange(await callRpc(bus, approveAtPayouts, request)),
  );
  return { status: 'APPLIED', payout: after };
}

async function approveByTwo(services: Services, act: OperatorAct, payout: OperatorPayout): Promise<Approved> {
  const { database } = services;
  const one: OneAtATime = {
    kind: 'payout.approve',
    target: payout.id,
    constraint: 'approval_of_waiting_payout',
    busy: 'the payout is being approved by others',
  };
  return await besideOthers(database, one, async (open) => {
    if (open && open.proposedBy !== act.operator) {
      const { approval } = await approve(services, act, { id: open.id, reason: null });
      return { status: 'APPLIED', payout: (approval.outcome as { payout: OperatorPayoutResource }).payout };
    }
    const approval = open ?? (await propose(database, act, payout));
    return { status: 'PROPOSED', payout: presentOperatorPayout(payout), approval };
  });
}

async function propose(database: Database, act: OperatorAct, payout: OperatorPayout): Promise<Approval> {
  const { environment, accountId, id: target, status, currency, amount } = payout;
  return await database.transaction(async (tx) =>
    proposeApproval(tx, act, {
      ...{ kind: 'payout.approve', environment, accountId, target, reason: null },
      before: { status },
      request: { payout_id: target, currency, amount_cents: amount },
    }),
  );
}

/** The payouts service lets it go once, however often that is asked under the approval's id. */
export function payoutApprovalRules(bus: Bus, database: Database): ApprovalRules {
  const apply = async ({ id: approvalId, target, approvedBy }: Approval) => {
    const { payout: waiting } = await callRpc(bus, getOperatorPayout, { id: target });
    // One that was let go before a crash is not held up by a freeze that came after it.
    if (waiting.status === 'PENDING') await requireNoFreeze(database, waiting);
    const request = { id: target, operator: approvedBy ?? '', approvalId };
    const changed = presentedChange(await callRpc(bus, approveAtPayouts, request, { timeoutMs: payoutsTimeoutMs }));
    return async (tx: Tx, act: OperatorAct) => {
      recordAudit(tx, act, { action: 'payout.approve', target, ...changed });
      return { outcome: { status: 'APPLIED', payout: changed.after } };
    };
  };
  return { apply };
}

/** A change of a payout as operators see it. */
export function presentedChange({
  before,
  payout,
}: {
  readonly before: OperatorPayout;
  readonly payout: OperatorPayout;
}) {
  return { before: presentOperatorPayout(before), after: presentOperatorPayout(payout) };
}
