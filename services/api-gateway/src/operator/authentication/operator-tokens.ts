import { hash } from 'node:crypto';
import { DomainError } from '@gateway/contracts/errors';
import { equalDigests } from '@gateway/runtime';

/** An operator with the token that identifies requests as theirs. */
export interface OperatorCredentials {
  readonly name: string;
  readonly token: string;
}

/** The bearer tokens of operators, kept as hashes. */
export class OperatorTokens {
  readonly #operators: readonly { readonly name: string; readonly tokenHash: Buffer }[];

  constructor(operators: readonly OperatorCredentials[]) {
    this.#operators = operators.map(({ name, token }) => ({ name, tokenHash: hash('sha256', token, 'buffer') }));
  }

  /**
   * The operator a request comes from. Every token is compared, so the time says nothing about which one was close.
   * @throws DomainError AUTH_REQUIRED without a bearer token, AUTH_INVALID with an unknown one
   */
  authenticate(authorization: string | undefined): string {
    const [, token] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
    if (token === undefined)
      throw new DomainError('AUTH_REQUIRED', 'the Authorization header must carry a bearer token');
    const presented = hash('sha256', token, 'buffer');
    let operator: string | undefined;
    for (const { name, tokenHash } of this.#operators) if (equalDigests(presented, tokenHash)) operator = name;
    if (operator === undefined) throw new DomainError('AUTH_INVALID', 'the bearer token is not valid');
    return operator;
  }
}
