import { abandonRefund, createRefund, type Refund } from '@gateway/contracts/deposits';
import { DomainError, statusOf } from '@gateway/contracts/errors';
import { callRpc } from '@gateway/messaging';
import type { Tx } from '@gateway/persistence';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { AttemptLease } from '#src/approvals/attempt-lease.ts';
import { ownerOf, requireStillAllowed, type TeamServices } from '#src/proposals/team-conditions.ts';
import { refundIn, type TeamOutcome } from '#src/proposals/team-request.ts';

const createTimeoutMs = 12_000;
const askTimeoutMs = 3_000;

/** Sends the refund that two of the account's people agreed on, once by its `external_id`. */
export function teamRefundRules(services: TeamServices): ApprovalRules {
  const apply = async (approval: Approval) => {
    const lease = await AttemptLease.take(services.database, approval);
    const refund = await make(services, approval);
    await lease.renew();
    return async (tx: Tx) => {
      await lease.requireHeld(tx);
      return { outcome: { refund } };
    };
  };
  return { apply };
}

async function make(services: TeamServices, approval: Approval): Promise<TeamOutcome> {
  const { deposit_id: depositId, external_id: externalId, amount, reason } = refundIn(approval);
  try {
    await requireStillAllowed(services, approval);
    const request = { ...ownerOf(approval), depositId, externalId, amount, reason };
    const { refund } = await callRpc(services.bus, createRefund, request, { timeoutMs: createTimeoutMs });
    return outcomeOf(approval, refund);
  } catch (error) {
    if (!(error instanceof DomainError) || statusOf(error.code) >= 500) throw error;
    const made = await madeBefore(services, approval);
    if (made) return outcomeOf(approval, made);
    throw error;
  }
}

/** By an attempt before this one, which had no answer or ended. From here on none that is under way makes it any more. */
async function madeBefore({ bus }: TeamServices, approval: Approval): Promise<Refund | null> {
  if (approval.attemptedAt?.getTime() === approval.decidedAt?.getTime()) return null;
  const { external_id: externalId } = refundIn(approval);
  const asked = { ...ownerOf(approval), externalId };
  return (await callRpc(bus, abandonRefund, asked, { timeoutMs: askTimeoutMs })).refund;
}

/** @throws DomainError INVALID_STATE when the reference is that of another refund */
function outcomeOf(approval: Approval, refund: Refund): TeamOutcome {
  const { deposit_id: depositId, external_id, amount } = refundIn(approval);
  if (refund.depositId === depositId && refund.amount === amount) {
    return { external_id, id: refund.id, status: refund.status, failure: null };
  }
  throw new DomainError('INVALID_STATE', `external_id is that of another refund, ${refund.id}`);
}
