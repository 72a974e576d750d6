import { TimeoutError } from '../errors/errors.ts';
import { pause } from './pause.ts';
import type { Options } from './send.ts';

/** Of a wait. `timeoutMs` is of each of its reads, and `signal` ends it at once. */
export interface WaitOptions extends Options {
  /** How long to wait in all; 120 s unless it is given. After it comes a TimeoutError. */
  readonly waitMs?: number | undefined;
}

const waitMsDefault = 120_000;
const firstPollMs = 250;
const lastPollMs = 5_000;

/**
 * Reads a record until it is as wanted, less often the longer it takes.
 *
 * @throws TimeoutError with the record as it was last
 */
export async function readUntil<Data extends { readonly id: string; readonly status: string }>(
  read: () => Promise<Data>,
  isWanted: (record: Data) => boolean,
  { waitMs = waitMsDefault, signal }: WaitOptions,
): Promise<Data> {
  const until = Date.now() + waitMs;
  for (let poll = 1; ; poll += 1) {
    const record = await read();
    if (isWanted(record)) return record;
    const interval = Math.min(firstPollMs * 1.5 ** (poll - 1), lastPollMs);
    if (Date.now() + interval > until) {
      const message = `${record.id} is still ${record.status} after ${waitMs} ms: waitMs is how long to wait, until what for`;
      throw new TimeoutError(message, { attempts: poll, record });
    }
    await pause(interval, signal);
  }
}
