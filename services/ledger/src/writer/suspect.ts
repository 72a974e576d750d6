import { isConnectionError } from '@gateway/service-kit';
import { ClockError } from '#src/clock/clock-problem.ts';
import { FencedError } from '#src/writer/write-batch.ts';

/** Tenures that end at the same message before that message is given up. */
const tenuresMax = 3;
/** SQLSTATE classes that say something about the server, its load or its schema, and nothing about a message. */
const serverFaults = /^(08|25|40|42|53|55|57|58)/;
const missingPartition = '23514';

/**
 * Remembers across tenures at which message they ended. A message that ends three in a row by a fault that can only be in
 * what it says, or in the rows it touches, is passed: one message must not stop a ledger. Its sender asks again.
 */
export class Suspect {
  #sequence: number | undefined;
  #tenures = 0;

  /** A tenure has ended while this message was first in line. */
  note(sequence: number | undefined, error: unknown): void {
    if (sequence === undefined || !mayBeTheMessage(error)) return;
    this.#tenures = sequence === this.#sequence ? this.#tenures + 1 : 1;
    this.#sequence = sequence;
  }

  /** True in the tenure that may pass it. */
  is(sequence: number): boolean {
    return sequence === this.#sequence && this.#tenures >= tenuresMax - 1;
  }
}

function mayBeTheMessage(error: unknown): boolean {
  if (isConnectionError(error) || error instanceof FencedError || error instanceof ClockError) return false;
  const { code, constraint } = error as { readonly code?: unknown; readonly constraint?: unknown };
  if (typeof code !== 'string') return true;
  return !serverFaults.test(code) && !(code === missingPartition && constraint === undefined);
}
