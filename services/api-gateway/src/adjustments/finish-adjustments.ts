import { startLoop, type Asker, type Database, type Logger } from '@gateway/service-kit';
import { AdjustmentEntity } from '#src/adjustments/adjustment-entity.ts';
import { approvalTimeoutMs } from '#src/adjustments/approve-adjustment.ts';
import { decideAdjustment } from '#src/adjustments/decide-adjustment.ts';

/** Whoever approved it waits no longer by then. */
const unfinishedAfterMs = 2 * approvalTimeoutMs;
const ledgerTimeoutMs = 4_000;
const intervalMs = 2_000;
const batchMax = 50;

/**
 * Finishes what was approved and has no outcome: the gateway that was asked may have ended between the ledger's answer and
 * its record, or the ledger did not answer in time.
 */
export function keepFinishingAdjustments(database: Database, asker: Asker, logger: Logger): AsyncDisposable {
  const work = () => finishAdjustments(database, asker, new Date());
  return startLoop({ name: 'finish adjustments', intervalMs, logger, work });
}

/**
 * @returns whether there may be more
 * @throws DomainError SERVICE_UNAVAILABLE when the ledger does not answer for one of them; the others are finished
 */
async function finishAdjustments(database: Database, asker: Asker, now: Date): Promise<boolean> {
  const unfinished = { status: 'PROPOSED', approvedBy: { $ne: null } } as const;
  const before = new Date(now.getTime() - unfinishedAfterMs);
  // Those that were approved before the time was kept have none.
  const waiting = { ...unfinished, $or: [{ approvedAt: null }, { approvedAt: { $lt: before } }] };
  const options = { orderBy: { id: 'asc' }, limit: batchMax } as const;
  const adjustments = await database.reader().find(AdjustmentEntity, waiting, options);
  const answers = await Promise.allSettled(
    adjustments.map((adjustment) => decideAdjustment(database, asker, adjustment, ledgerTimeoutMs)),
  );
  for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
  return adjustments.length === batchMax;
}
