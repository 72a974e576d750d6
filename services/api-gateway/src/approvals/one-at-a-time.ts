import { DomainError } from '@gateway/contracts/errors';
import { type Database, violatedConstraint } from '@gateway/persistence';
import { type AnyKind, type Approval, ApprovalEntity } from '#src/approvals/approval.ts';

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
  const where = { kind, target, state: { $in: ['PROPOSED', 'APPLYING'] } } as const;
  return await database.reader().findOne(ApprovalEntity, where);
}
