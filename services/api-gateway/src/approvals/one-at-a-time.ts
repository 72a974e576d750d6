import { DomainError } from '@gateway/contracts/errors';
import { type Database, violatedConstraint } from '@gateway/persistence';
import { type AnyKind, type Approval, ApprovalEntity } from '#src/approvals/approval.ts';
import type { OperatorAct } from '#src/approvals/audit.ts';
import { type Proposal, proposeApproval } from '#src/approvals/propose-approval.ts';

/** Two who ask for the same at the same time find each other at the second try. */
const attemptsMax = 3;

/** A kind of proposal of which a target has one at a time. */
export interface OneAtATime {
  readonly kind: AnyKind;
  readonly target: string;
  /** The unique index that sees to it. */
  readonly constraint: string;
  /** What the caller is answered when others come first again and again. */
  readonly busy: string;
}

/**
 * Answers what `attempt` does with the proposal that is open, if there is one. It is tried again when another operator has
 * proposed at the same time, which the unique index notices.
 *
 * @throws DomainError SERVICE_UNAVAILABLE when others come first again and again; whatever the attempt throws
 */
export async function besideOthers<T>(
  database: Database,
  { kind, target, constraint, busy }: OneAtATime,
  attempt: (open: Approval | null) => Promise<T>,
): Promise<T> {
  for (let attempts = 0; attempts < attemptsMax; attempts++) {
    try {
      return await attempt(await openApprovalOf(database, kind, target));
    } catch (error) {
      if (violatedConstraint(error) !== constraint) throw error;
    }
  }
  throw new DomainError('SERVICE_UNAVAILABLE', busy, { retryAfterSec: 1 });
}

/** The one that waits or is being carried out. */
async function openApprovalOf(database: Database, kind: AnyKind, target: string): Promise<Approval | null> {
  return await database.reader().findOne(ApprovalEntity, openOf(kind, target));
}

function openOf(kind: AnyKind, target: string) {
  return { kind, target, state: { $in: ['PROPOSED', 'APPLYING'] } } as const;
}

/**
 * Proposes what a target has one of at a time: what waits, or is being carried out, has to end first. Those who propose at the
 * same time come one after the other.
 *
 * @throws DomainError INVALID_STATE naming the one that is open; PERMISSION_DENIED as `proposeApproval`
 */
export async function proposeAlone(database: Database, act: OperatorAct, proposal: Proposal): Promise<Approval> {
  const { kind, target } = proposal;
  return await database.transaction(async (tx) => {
    await tx.sql('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`proposal ${kind} ${target}`]);
    const open = await tx.em.findOne(ApprovalEntity, openOf(kind, target));
    if (open)
      throw new DomainError('INVALID_STATE', `what was proposed before waits for another operator as ${open.id}`);
    return proposeApproval(tx, act, proposal);
  });
}
