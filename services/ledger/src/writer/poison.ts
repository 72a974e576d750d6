import { isConnectionError } from '@gateway/service-kit';
import { ClockError } from '#src/clock/clock-problem.ts';
import { FencedError } from '#src/writer/write-batch.ts';

/** A row that is already there: decided by another writer, or by this one in a commit it did not hear of. */
const uniqueViolation = '23505';

/** Constraints that say the writer's memory is wrong, not the command. */
const memoryConstraints = new Set(['shard_rows_as_remembered', 'shard_in_balance']);

/**
 * True when the fault lies in what was to be decided, so that deciding the commands one by one will find the one to
 * blame. False when it lies in the writer or the database, where a command must never be blamed: it would be money
 * set aside for a fault of ours.
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
