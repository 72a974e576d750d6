import { LockMode } from '@mikro-orm/core';
import { DomainError } from '@gateway/contracts/errors';
import { RefundEntity, type RefundRow } from '#src/refund/refund-entity.ts';
import { reserveRefund } from '#src/refund/reserve-refund.ts';
import { resumeRefund } from '#src/refund/resume-refund.ts';
import { nextAttempt } from '#src/returns/return-schedule.ts';
import { returnLeaseMs } from '#src/returns/send-back.ts';
import type { RoutingDependencies } from '#src/routing/dependencies.ts';

const batchMax = 50;
const ledgerTimeoutMs = 5_000;

/**
 * Goes on with refunds that are not decided: the provider is still at it, or the process that drove them died.
 * Answers true when there may be more.
 */
export async function finishRefunds(dependencies: RoutingDependencies): Promise<boolean> {
  const due = await claimDue(dependencies);
  await Promise.all(due.map((refund) => finish(dependencies, refund)));
  return due.length === batchMax;
}

async function claimDue({ database, now }: RoutingDependencies): Promise<RefundRow[]> {
  return await database.transaction(async (tx) => {
    const due = await tx.em.find(
      RefundEntity,
      { nextAttemptAt: { $lte: now() } },
      { orderBy: { nextAttemptAt: 'asc' }, limit: batchMax, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
    );
    for (const refund of due) {
      refund.nextAttemptAt = leaseOf(refund, now());
      refund.attempts += 1;
    }
    return due;
  });
}

/** A provider is not asked twice at once; the ledger may be asked as often as one likes. */
function leaseOf({ state, attempts }: RefundRow, now: Date): Date {
  return state === 'SENDING' ? new Date(now.getTime() + returnLeaseMs) : nextAttempt(attempts, now);
}

async function finish(dependencies: RoutingDependencies, refund: RefundRow): Promise<void> {
  const { id: refundId, attempts } = refund;
  try {
    const reserved = refund.state === 'RESERVING' ? await reserveRefund(dependencies, refund, ledgerTimeoutMs) : refund;
    await resumeRefund(dependencies, reserved);
  } catch (error) {
    const isRefusal = error instanceof DomainError && error.code !== 'SERVICE_UNAVAILABLE';
    const message = isRefusal ? 'interrupted refund was refused' : 'refund could not be finished yet';
    dependencies.logger.warn({ err: error, refundId, attempts }, message);
  }
}
