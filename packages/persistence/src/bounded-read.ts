import { ValidationError } from '@gateway/contracts/errors';
import { causesOf } from '@gateway/runtime';
import type { Database } from '#src/database.ts';
import type { Tx } from '#src/tx.ts';

const queryCanceled = '57014';

/** Longest time of a list; callers wait five seconds. */
const listReadMs = 4_000;

const ofLists = {
  path: 'from',
  message: 'or another filter has to narrow the list: too many records would have to be read',
};

/**
 * Reads a list for a caller who may ask for more than an index finds: the server gives up before the caller does, so that a
 * search through everything does not go on beside the payments after its caller has left.
 *
 * @param refusal which member narrows it, and how
 * @throws ValidationError on `from`, or on what `refusal` names, when it would take longer
 */
export async function readInTime<T>(
  database: Database,
  read: (tx: Tx) => Promise<T>,
  refusal: { readonly path: string; readonly message: string } = ofLists,
): Promise<T> {
  try {
    return await database.transaction(async (tx) => {
      await tx.sql(`set local statement_timeout = ${listReadMs}`);
      return await read(tx);
    });
  } catch (error) {
    if (!isCanceled(error)) throw error;
    throw new ValidationError([refusal]);
  }
}

function isCanceled(error: unknown): boolean {
  return causesOf(error).some(({ code }) => code === queryCanceled);
}
