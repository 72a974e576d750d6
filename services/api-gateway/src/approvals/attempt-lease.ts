import { DomainError } from '@gateway/contracts/errors';
import type { Database, Tx } from '@gateway/persistence';
import type { Approval } from '#src/approvals/approval.ts';

/**
 * Keeps an approval of several steps to one attempt at a time: an attempt that has not renewed its lease for as long as
 * `keepApprovals` waits is taken over, and then begins no further step and records nothing.
 */
export class AttemptLease {
  readonly #database: Database;
  readonly #id: string;
  #heldAt: Date;

  private constructor(database: Database, id: string, heldAt: Date) {
    this.#database = database;
    this.#id = id;
    this.#heldAt = heldAt;
  }

  /** For the attempt that was begun at `attemptedAt`. @throws DomainError SERVICE_UNAVAILABLE when another goes on with it */
  static async take(database: Database, { id, attemptedAt }: Approval): Promise<AttemptLease> {
    if (!attemptedAt) throw new TypeError('the approval is not being carried out');
    const lease = new AttemptLease(database, id, attemptedAt);
    await lease.renew();
    return lease;
  }

  /** Before each step. @throws DomainError SERVICE_UNAVAILABLE when another attempt has begun */
  async renew(): Promise<void> {
    const at = new Date(Math.max(Date.now(), this.#heldAt.getTime() + 1));
    const [held] = await this.#database.query(
      `update approval set attempted_at = $3 where id = $1 and state = 'APPLYING' and attempted_at = $2 returning id`,
      [this.#id, this.#heldAt, at],
    );
    if (!held) throw takenOver();
    this.#heldAt = at;
  }

  /** In the transaction that records the outcome and has locked the approval. @throws DomainError SERVICE_UNAVAILABLE */
  async requireHeld(tx: Tx): Promise<void> {
    const [held] = await tx.sql('select 1 from approval where id = $1 and attempted_at = $2', [this.#id, this.#heldAt]);
    if (!held) throw takenOver();
  }
}

function takenOver(): DomainError {
  return new DomainError('SERVICE_UNAVAILABLE', 'the approval is being carried out', { retryAfterSec: 1 });
}
