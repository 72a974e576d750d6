import { deadLetterRpcs, type DeadLetter } from '@gateway/contracts/broker';
import { ValidationError } from '@gateway/contracts/errors';
import { serviceNames } from '@gateway/contracts/messages';
import type { DeadLettersQuery } from '@gateway/public-api';
import { callRpc, type Askable } from '@gateway/messaging';

export interface DeadLetterPage {
  readonly deadLetters: readonly DeadLetter[];
  readonly nextCursor: string | null;
}

/**
 * A page of the dead letters of all services, or of one of them, newest first. Their ids carry their time, so one order
 * holds across services.
 *
 * @throws ValidationError for a cursor none of them knows
 * @throws DomainError SERVICE_UNAVAILABLE when one does not answer: a list with holes would pass for the whole
 */
export async function listDeadLetters(
  bus: Askable,
  { service, cursor, limit, ...filters }: DeadLettersQuery,
): Promise<DeadLetterPage> {
  const asked = service ? [service] : serviceNames;
  const request = { ...filters, limit, before: cursor };
  const replies = await Promise.all(asked.map((name) => callRpc(bus, deadLetterRpcs(name).list, request)));
  if (cursor !== undefined && !replies.some(({ knowsBefore }) => knowsBefore)) {
    throw new ValidationError([{ path: 'cursor', message: 'is not the id of a record in this list' }]);
  }
  const found = replies.flatMap(({ deadLetters }) => deadLetters).sort((a, b) => (a.id < b.id ? 1 : -1));
  const deadLetters = found.slice(0, limit);
  const hasMore = found.length > limit || replies.some((reply) => reply.hasMore);
  return { deadLetters, nextCursor: hasMore ? (deadLetters.at(-1)?.id ?? null) : null };
}
