import type { FastifyRequest } from 'fastify';

export const accountHeader = 'x-account-id';

/** The baseline believes whoever calls: it has no keys to check. */
export function accountOf(request: FastifyRequest): string {
  const account = request.headers[accountHeader];
  if (typeof account !== 'string') throw new TypeError(`the header ${accountHeader} is required`);
  return account;
}

/** JSON schema of a text. */
export function text(minLength: number, maxLength: number) {
  return { type: 'string', minLength, maxLength };
}
