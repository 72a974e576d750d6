import { LockMode } from '@mikro-orm/core';
import type { DisputeDependencies } from '#src/dispute/dependencies.ts';
import { DisputeEntity, type DisputeRow } from '#src/dispute/dispute-entity.ts';
import { resumeDispute } from '#src/dispute/resume-dispute.ts';
import { nextAttempt } from '#src/returns/return-schedule.ts';

const batchMax = 50;
const ledgerTimeoutMs = 5_000;

/** Goes on with disputes whose process died, or whose ledger did not answer. Answers true when there may be more. */
export async function finishDisputes(dependencies: DisputeDependencies): Promise<boolean> {
  const due = await claimDue(dependencies);
  await Promise.all(due.map((dispute) => finish(dependencies, dispute)));
  return due.length === batchMax;
}

async function claimDue({ database, now }: DisputeDependencies): Promise<DisputeRow[]> {
  return await database.transaction(async (tx) => {
    const due = await tx.em.find(
      DisputeEntity,
      { nextAttemptAt: { $lte: now() } },
      { orderBy: { nextAttemptAt: 'asc' }, limit: batchMax, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
    );
    for (const dispute of due) {
      dispute.nextAttemptAt = nextAttempt(dispute.attempts, now());
      dispute.attempts += 1;
    }
    return due;
  });
}

async function finish(dependencies: DisputeDependencies, dispute: DisputeRow): Promise<void> {
  try {
    await resumeDispute(dependencies, dispute, ledgerTimeoutMs);
  } catch (error) {
    const { id: disputeId, attempts } = dispute;
    dependencies.logger.warn({ err: error, disputeId, attempts }, 'dispute could not be carried out yet');
  }
}
