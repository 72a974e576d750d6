import { isConnectionError } from '@gateway/runtime';
import { ClockError } from '#src/clock/clock-problem.ts';
import { FencedError } from '#src/writer/write-batch.ts';

/** Leases that end at the same message before it becomes a dead letter. */
const leasesMax = 3;
/** SQLSTATE classes whose cause is the server, its load or its schema, never a message. */
const serverFaults = /^(08|25|40|42|53|55|57|58)/;
const missingPartition = '23514';

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
  const { code, constraint } = error as { readonly code?: unknown; readonly constraint?: unknown };
  if (typeof code !== 'string') return true;
  return !serverFaults.test(code) && !(code === missingPartition && constraint === undefined);
}
