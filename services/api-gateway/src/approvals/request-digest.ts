import { hash } from 'node:crypto';
import { DomainError } from '@gateway/contracts/errors';

/** SHA-256 in hex of a request: the same for the same members in any order, as the database may give them back. */
export function digestOfRequest(request: object): string {
  return hash('sha256', JSON.stringify(ordered(JSON.parse(JSON.stringify(request)))));
}

/**
 * What is carried out is what was proposed, and what the approver saw.
 *
 * @param seen the digest of what it is compared with
 * @throws DomainError INVALID_STATE
 */
export function requireAsProposed(request: object, seen: string | null | undefined): void {
  if (digestOfRequest(request) === seen) return;
  throw new DomainError('INVALID_STATE', 'the request is another than the one that was shown; look at it again');
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, ordered(member)]));
}
