import { deadLetterRpcs, type OpenedDeadLetter } from '@gateway/contracts/broker';
import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import { serviceNames } from '@gateway/contracts/messages';
import { isId } from '@gateway/money';
import { callRpc, type Askable } from '@gateway/messaging';

/**
 * A dead letter with its message, from whichever service keeps it.
 *
 * @throws NotFoundError when no service has it
 * @throws DomainError SERVICE_UNAVAILABLE when one that does not answer may have it
 */
export async function openDeadLetter(bus: Askable, id: string): Promise<OpenedDeadLetter> {
  if (!isId('deadLetter', id)) throw new NotFoundError('dead letter');
  const asked = serviceNames.map((name) => callRpc(bus, deadLetterRpcs(name).open, { id }));
  const answers = await Promise.allSettled(asked);
  const found = answers.find((answer) => answer.status === 'fulfilled');
  if (found) return found.value.deadLetter;
  for (const answer of answers) {
    const reason: unknown = answer.status === 'rejected' ? answer.reason : undefined;
    if (!(reason instanceof DomainError && reason.code === 'NOT_FOUND')) throw reason;
  }
  throw new NotFoundError('dead letter');
}
