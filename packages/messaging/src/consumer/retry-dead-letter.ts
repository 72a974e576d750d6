import { DomainError } from '@gateway/contracts/errors';
import type { Database } from '@gateway/persistence';
import type { DeadLetter } from '#src/consumer/dead-letter.ts';
import { classifyFailure } from '#src/consumer/failure.ts';

type Retry = (letter: DeadLetter) => Promise<void>;

/** Who takes the dead letters of a database again, by consumer. */
const retries = new WeakMap<Database, Map<string, Retry>>();

/** Names who takes the dead letters of a consumer again, until disposed. Taking one twice must do no harm. */
export function retriedBy(database: Database, consumer: string, retry: Retry): Disposable {
  const known = retries.get(database) ?? new Map<string, Retry>();
  retries.set(database, known);
  known.set(consumer, retry);
  return {
    [Symbol.dispose]: () => {
      if (known.get(consumer) === retry) known.delete(consumer);
    },
  };
}

/**
 * Hands a dead letter to its consumer again.
 *
 * @returns why it failed again; undefined when it did not
 * @throws DomainError INVALID_STATE when its consumer does not exist any more; what may pass (database, bus, another
 *   service away) is thrown as it is, since nothing has been learnt about the message
 */
export async function retryDeadLetter(database: Database, letter: DeadLetter): Promise<string | undefined> {
  const retry = retries.get(database)?.get(letter.consumer);
  if (!retry) throw new DomainError('INVALID_STATE', `there is no consumer ${letter.consumer} any more`);
  try {
    await retry(letter);
    return undefined;
  } catch (error) {
    const handling = classifyFailure(error, Number.POSITIVE_INFINITY);
    if (handling.action === 'again') throw error;
    return handling.reason;
  }
}
