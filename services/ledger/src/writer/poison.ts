import { isConnectionError } from '@gateway/runtime';
import { LedgerBehindError } from '#src/writer/shard-witnesses.ts';
import { FencedError } from '#src/writer/write-batch.ts';
import { ClockError } from '#src/writer/writer-clock.ts';

/** The row exists already: decided by another writer, or by this one in a commit whose answer was lost. */
const uniqueViolation = '23505';

/** Constraints whose violation means that the writer's state in memory is wrong, not the command. */
const memoryConstraints = new Set(['shard_rows_as_remembered', 'shard_in_balance']);

/** Leases that end at the same message before it becomes a dead letter. */
const leasesMax = 3;
/** SQLSTATE classes whose cause is the server, its load or its schema, never a message. */
const serverFaults = /^(08|25|40|42|53|55|57|58)/;
const missingPartition = '23514';

/**
 * True when the cause is a command of the batch, so that writing the commands one by one finds it. False when the cause
 * is the writer or the database: then no command may become a dead letter, since that would hold up money for our own
 * fault.
 */
export function isPoison(error: unknown): boolean {
  if (error instanceof FencedError || error instanceof ClockError || isConnectionError(error)) return false;
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  if (typeof code !== 'string') return true;
  if (code === uniqueViolation) return false;
  // Data exceptions and violated constraints; a missing partition has the same class, but names no constraint.
  if (code.startsWith('22')) return true;
  return code.startsWith('23') && typeof constraint === 'string' && !memoryConstraints.has(constraint);
}

/**
 * Remembers across leases at which message they ended. When three in a row end at one message, by a fault that can only
 * be in the message or in the rows it touches, that message is skipped as a dead letter, so that it cannot stop the
 * ledger. Its sender asks again.
 */
export class Suspect {
  #sequence: number | undefined;
  #leases = 0;

  /** A lease has ended while this message was the first of its batch. */
  note(sequence: number | undefined, error: unknown): void {
    if (sequence === undefined || !mayBeTheMessage(error)) return;
    this.#leases = sequence === this.#sequence ? this.#leases + 1 : 1;
    this.#sequence = sequence;
  }

  /** True in the lease that may skip it. */
  is(sequence: number): boolean {
    return sequence === this.#sequence && this.#leases >= leasesMax - 1;
  }
}

function mayBeTheMessage(error: unknown): boolean {
  if (isConnectionError(error) || error instanceof FencedError || error instanceof ClockError) return false;
  if (error instanceof LedgerBehindError) return false;
  const { code, constraint } = error as { readonly code?: unknown; readonly constraint?: unknown };
  if (typeof code !== 'string') return true;
  return !serverFaults.test(code) && !(code === missingPartition && constraint === undefined);
}
