import type { DomainError } from '@gateway/contracts/errors';

export interface FailureEnvelope {
  readonly success: false;
  readonly data: null;
  readonly errors: readonly string[];
}

/**
 * A refusal as connector clients read it (spec 7, api.md 4): they show or log `errors` as text, so each entry is a
 * sentence of its own, and codes and request ids stay in the status and the headers.
 */
export function failureEnvelope({ details, message }: DomainError): FailureEnvelope {
  const named = details.map((detail) => `${detail.path} ${detail.message}`.trim());
  return { success: false, data: null, errors: named.length > 0 ? named : [message] };
}
