import { ValidationError } from '@gateway/contracts/errors';
import { causesOf } from '@gateway/runtime';
import type { Database } from '#src/database.ts';
import type { Tx } from '#src/tx.ts';

const queryCanceled = '57014';

/** Longest time of a list; callers wait five seconds. */
const listReadMs = 4_000;

/**
 * Reads a list for a caller who may ask for more than an index finds: the server gives up before the caller does, so that a
 * search through everything does not go on beside the payments after its caller has left.
 *
 * @throws ValidationError on `from` when it would take longer
 */
export async function readInTime<T>(database: Database, read: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await database.transaction(async (tx) => {
      await tx.sql(`set local statement_timeout = ${listReadMs}`);
      return await read(tx);
    });
  } catch (error) {
    if (!isCanceled(error)) throw error;
    const message = 'or another filter has to narrow the list: too many records would have to be read';
    throw new ValidationError([{ path: 'from', message }]);
  }
}

function isCanceled(error: unknown): boolean {
  return causesOf(error).some(({ code }) => code === queryCanceled);
}
