import { hash } from 'node:crypto';
import { DomainError } from '@gateway/contracts/errors';
import {
  operatorGrant,
  type OperatorPermission,
  type OperatorRole,
  readingPermissions,
} from '@gateway/contracts/identity';
import { counter, equalDigests, type Logger } from '@gateway/runtime';
import type { Principal } from '#src/http/principal.ts';
import type { OpenLimits } from '#src/limits/open-limits.ts';

/** An operator with the token that identifies requests as theirs. */
export interface OperatorCredentials {
  readonly name: string;
  readonly token: string;
  /** Without them, every permission that a token may have. */
  readonly roles?: readonly OperatorRole[] | undefined;
}

/**
 * The bearer tokens of operators, kept as hashes. A token is no person: who holds one may also have a session, and would be
 * both people of a decision. So tokens only read, and what they read is masked, except on a developer's machine.
 */
export class OperatorTokens {
  readonly #operators: readonly { readonly principal: Principal; readonly tokenHash: Buffer }[];

  /** @param tokensDecide whether tokens have more than `readingPermissions`, and are shown what is masked for others */
  constructor(operators: readonly OperatorCredentials[], tokensDecide: boolean) {
    this.#operators = operators.map(({ name, token, roles }) => {
      const grantOf = (permission: OperatorPermission) => {
        if (!tokensDecide && !readingPermissions.includes(permission)) return null;
        return roles ? operatorGrant(roles, permission) : 'full';
      };
      return {
        principal: {
          name,
          grantOf,
          isShownAll: tokensDecide,
          person: null,
          responsible: null,
          tokenApprovedBy: null,
          isInForce: async () => true,
        },
        tokenHash: hash('sha256', token, 'buffer'),
      };
    });
  }

  /**
   * The operator a request comes from. Every token is compared, so the time says nothing about which one was close.
   * @throws DomainError AUTH_REQUIRED without a bearer token, AUTH_INVALID with an unknown one
   */
  authenticate(authorization: string | undefined): Principal {
    const [, token] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
    if (token === undefined)
      throw new DomainError('AUTH_REQUIRED', 'the Authorization header must carry a bearer token');
    const presented = hash('sha256', token, 'buffer');
    let operator: Principal | undefined;
    for (const { principal, tokenHash } of this.#operators) {
      if (equalDigests(presented, tokenHash)) operator = principal;
    }
    if (operator === undefined) throw new DomainError('AUTH_INVALID', 'the bearer token is not valid');
    return operator;
  }
}

const refusals = counter('gateway_operator_tokens_refused_total', 'Requests with a bearer token no operator has');

/**
 * Authenticates operators; counts refused tokens, and limits them by address. A valid token passes all the same: if the
 * limit were one of all requests, a stranger behind the same address could lock operators out when they are needed most.
 */
export class TokenGuard {
  readonly #tokens: OperatorTokens;
  readonly #logger: Logger;
  readonly #open: OpenLimits;

  constructor(tokens: OperatorTokens, open: OpenLimits, logger: Logger) {
    this.#tokens = tokens;
    this.#open = open;
    this.#logger = logger;
  }

  /**
   * @throws DomainError AUTH_REQUIRED without a bearer token; AUTH_INVALID with one no operator has, RATE_LIMITED when the
   *   address has sent too many of those
   */
  async authenticate(authorization: string | undefined, address: string): Promise<Principal> {
    return await this.counting(address, async () => this.#tokens.authenticate(authorization));
  }

  /** Counts a refused token of another kind, too. @throws DomainError as `authenticate` */
  async counting(address: string, authenticate: () => Promise<Principal>): Promise<Principal> {
    try {
      return await authenticate();
    } catch (error) {
      if (error instanceof DomainError && error.code === 'AUTH_INVALID') {
        refusals.add(1);
        await this.#open.spend('operatorTokens', address);
        this.#logger.warn({ address }, 'an operator token was refused');
      }
      throw error;
    }
  }
}
