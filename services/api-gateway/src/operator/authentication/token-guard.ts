import { DomainError } from '@gateway/contracts/errors';
import { counter, type Logger } from '@gateway/runtime';
import type { OpenLimits } from '#src/limits/open-limits.ts';
import type { OperatorTokens } from '#src/operator/authentication/operator-tokens.ts';

const refusals = counter('gateway_operator_tokens_refused_total', 'Requests with a bearer token no operator has');

/**
 * Authenticates operators; counts refused tokens, and limits them by address. Whoever has a token passes nonetheless: were
 * the limit one of all requests, a stranger behind the same address could shut operators out when they are needed most.
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
  async authenticate(authorization: string | undefined, address: string): Promise<string> {
    try {
      return this.#tokens.authenticate(authorization);
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
