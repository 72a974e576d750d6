import { type Logger, startLoop } from '@gateway/runtime';
import { ApprovalEntity } from '#src/approvals/approval.ts';
import { carryOut } from '#src/approvals/carry-out.ts';
import { type ApprovalServices, expire, lockApproval } from '#src/approvals/decide-approval.ts';

/** The request of the approver has ended by then. */
const unfinishedAfterMs = 20_000;
const intervalMs = 5_000;
const batchMax = 50;

/**
 * Finishes approvals that have no outcome (the gateway that was asked may have ended at any line, or another service has
 * not answered), and expires proposals that were not decided in time.
 */
export function keepApprovals(services: ApprovalServices, logger: Logger): AsyncDisposable {
  const work = async () => {
    const now = new Date();
    const expired = await expireProposals(services, now);
    return (await finishApprovals(services, now, logger)) || expired;
  };
  return startLoop({ name: 'keep approvals', intervalMs, logger, work });
}

/** @returns whether there may be more */
async function finishApprovals(services: ApprovalServices, now: Date, logger: Logger): Promise<boolean> {
  const before = new Date(now.getTime() - unfinishedAfterMs);
  const where = { state: 'APPLYING', attemptedAt: { $lt: before } } as const;
  // Those that were tried last come last: one that cannot be finished holds up no other.
  const options = { orderBy: { attemptedAt: 'asc' }, limit: batchMax } as const;
  const unfinished = await services.database.reader().find(ApprovalEntity, where, options);
  if (unfinished.length === 0) return false;
  const ids = unfinished.map(({ id }) => id);
  // Of several gateways one goes on with it.
  const taken = await services.database.query<{ readonly id: string }>(
    `update approval set attempted_at = $2
      where id = any($1::text[]) and state = 'APPLYING' and attempted_at < $3 returning id`,
    [ids, now, before],
  );
  const own = unfinished.filter((approval) => taken.some(({ id }) => id === approval.id));
  const answers = await Promise.allSettled(
    own.map(async (approval) => {
      approval.attemptedAt = now;
      return await carryOut(services, approval);
    }),
  );
  for (const [index, answer] of answers.entries()) {
    if (answer.status === 'rejected') {
      logger.warn({ err: answer.reason as unknown, approvalId: own[index]?.id }, 'an approval is not carried out yet');
    }
  }
  return unfinished.length === batchMax;
}

/** @returns whether there may be more */
async function expireProposals({ database, rules }: ApprovalServices, now: Date): Promise<boolean> {
  const where = { state: 'PROPOSED', expiresAt: { $lte: now } } as const;
  const options = { orderBy: { id: 'asc' }, limit: batchMax } as const;
  const old = await database.reader().find(ApprovalEntity, where, options);
  for (const { id } of old) {
    await database.transaction(async (tx) => {
      const approval = await lockApproval(tx, id);
      if (approval.state === 'PROPOSED') await expire(tx, rules, approval, now);
    });
  }
  return old.length === batchMax;
}
