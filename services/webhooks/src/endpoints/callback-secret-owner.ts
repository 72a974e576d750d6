import type { Owner } from '#src/endpoints/endpoint.ts';

/** Whom an account's callback secret is sealed for. The claim of deliveries builds the same text in SQL. */
export function callbackSecretOwner({ environment, accountId }: Owner): string {
  return `callback ${environment} ${accountId}`;
}
