import { isConnectionError } from '@gateway/runtime';
import { ClockError } from '#src/clock/clock-problem.ts';
import { FencedError } from '#src/writer/write-batch.ts';

/** The row exists already: decided by another writer, or by this one in a commit whose answer was lost. */
const uniqueViolation = '23505';

/** Constraints whose violation means that the writer's state in memory is wrong, not the command. */
const memoryConstraints = new Set(['shard_rows_as_remembered', 'shard_in_balance']);

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
