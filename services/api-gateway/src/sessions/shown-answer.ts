import { Readable } from 'node:stream';
import { DomainError } from '@gateway/contracts/errors';
import { eventStreamType } from '#src/http/stream-answer.ts';
import type { Answer } from '#src/http/endpoint.ts';
import { masked } from '#src/sessions/masked.ts';

/** An answer with the personal data masked, also in JSON that the owner of the records has written; other bytes as they are. */
export function maskedAnswer(answer: Answer): Answer {
  const { body } = answer;
  if (isJsonBytes(answer)) return { ...answer, body: masked(JSON.parse(new TextDecoder().decode(body as Uint8Array))) };
  return body instanceof Uint8Array ? answer : { ...answer, body: masked(body) };
}

/** Whether the owner of the records has written an answer as JSON. */
export function isJsonBytes({ body, headers }: Answer): boolean {
  return body instanceof Uint8Array && /^application\/json\b/.test(headers?.['content-type'] ?? '');
}

/** Whether it is a stream for pages, which has nothing of a record. */
export function isEventStream({ headers }: Answer): boolean {
  return headers?.['content-type']?.startsWith(eventStreamType) ?? false;
}

/**
 * A list as a file, in which nothing is masked.
 *
 * @throws DomainError PERMISSION_DENIED for those who may make no exports; what was begun of the file is given up
 */
export function fileForExporters(answer: Answer, mayExport: boolean): Answer {
  if (mayExport) return answer;
  if (answer.body instanceof Readable) answer.body.destroy();
  throw new DomainError('PERMISSION_DENIED', 'a list as a file takes the permission exports:create');
}
