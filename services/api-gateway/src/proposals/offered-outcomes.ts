import { DomainError } from '@gateway/contracts/errors';

/**
 * Refuses at the proposal what would be refused once it is approved.
 *
 * @param outcomes what two operators may state of the record as it is
 * @throws DomainError INVALID_STATE
 */
export function requireOffered(outcomes: readonly string[], outcome: string, what: string): void {
  if (outcomes.includes(outcome)) return;
  const offered = outcomes.length === 0 ? 'nothing can be stated at the moment' : `only ${outcomes.join(', ')}`;
  throw new DomainError('INVALID_STATE', `${outcome} cannot be stated of the ${what} as it is: ${offered}`);
}
