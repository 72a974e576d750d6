import { isDeepStrictEqual } from 'node:util';
import { DomainError } from '@gateway/contracts/errors';

/** Of a record, what a request names: the members of `request`, down to those that hold no members of their own. */
export function namedMembers(record: object, request: object): Record<string, unknown> {
  const named = Object.entries(request).filter(([, wanted]) => wanted !== undefined);
  return Object.fromEntries(
    named.map(([name, wanted]) => {
      const value = (record as Readonly<Record<string, unknown>>)[name];
      return [name, isMembers(wanted) && isMembers(value) ? namedMembers(value, wanted) : value];
    }),
  );
}

/**
 * Whoever approved saw what was there before; another value by now would be a change nobody has seen.
 *
 * @throws DomainError INVALID_STATE
 */
export function requireUnchanged(now: object, before: object | null | undefined): void {
  if (isDeepStrictEqual({ ...now }, { ...before })) return;
  throw new DomainError('INVALID_STATE', 'what was to be changed has changed since it was proposed; propose it again');
}

function isMembers(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
