import { z } from 'zod';
import type { Authorization, AuthorizationResult } from '#src/http/authorization.ts';
import type { CallOutcome } from '#src/http/classify.ts';
import type { NotSent } from '#src/outcomes.ts';

export const tokenSchema = z.object({
  access_token: z.string().min(1).max(16_384),
  expires_in: z.coerce.number().positive(),
  /** Separated by blanks. Only looked at by the check of a configuration: calls show what a token may do. */
  scope: z.string().optional().catch(undefined),
});
export type Token = z.infer<typeof tokenSchema>;

/** A token is renewed this long before it ends, so that none ends on its way. */
const renewBeforeMs = 60_000;

export interface OAuthOptions {
  /** Asks the token endpoint, under a deadline of its own. */
  readonly requestToken: () => Promise<CallOutcome<Token>>;
  readonly nowMs: () => number;
  readonly onScopes?: (scopes: readonly string[]) => void;
}

/**
 * OAuth 2 client credentials (RFC 6749, 4.4): one token for all calls, asked for once however many wait for it.
 * Whatever goes wrong here is `not_sent`: without a token the call itself was never made.
 */
export class OAuthToken implements Authorization {
  readonly #options: OAuthOptions;
  #held: { readonly value: string; readonly renewAtMs: number } | null = null;
  #asking: Promise<AuthorizationResult> | null = null;

  constructor(options: OAuthOptions) {
    this.#options = options;
  }

  async header(signal: AbortSignal): Promise<AuthorizationResult> {
    if (this.#held && this.#options.nowMs() < this.#held.renewAtMs) return { kind: 'header', value: this.#held.value };
    this.#asking ??= this.#ask().finally(() => (this.#asking = null));
    return await raceAgainst(signal, this.#asking);
  }

  refused(value: string): boolean {
    if (this.#held?.value === value) this.#held = null;
    return true;
  }

  async #ask(): Promise<AuthorizationResult> {
    const askedAtMs = this.#options.nowMs();
    const outcome = await this.#options.requestToken();
    if (outcome.kind !== 'answered') return withoutToken(outcome);
    const { access_token: token, expires_in: lifeSec, scope } = outcome.value;
    if (scope !== undefined) this.#options.onScopes?.(scope.split(' ').filter(Boolean));
    const lifeMs = lifeSec * 1_000;
    const value = `Bearer ${token}`;
    this.#held = { value, renewAtMs: askedAtMs + Math.max(lifeMs - renewBeforeMs, lifeMs / 2) };
    return { kind: 'header', value };
  }
}

function withoutToken(outcome: Exclude<CallOutcome<Token>, { kind: 'answered' }>): NotSent {
  switch (outcome.kind) {
    case 'not_sent':
      return { ...outcome, cause: `no token: ${outcome.cause}` };
    case 'rejected':
      // RFC 6749 5.2: invalid_client and invalid_grant are 400 as often as 401.
      return { kind: 'not_sent', reason: 'unauthorized', cause: `no token: the provider answered ${outcome.status}` };
    case 'unknown':
      return { kind: 'not_sent', reason: 'unreachable', cause: `no token: ${outcome.cause}` };
  }
}

async function raceAgainst(signal: AbortSignal, result: Promise<AuthorizationResult>): Promise<AuthorizationResult> {
  const aborted: NotSent = { kind: 'not_sent', reason: 'aborted', cause: 'ended while waiting for a token' };
  if (signal.aborted) return aborted;
  const { promise, resolve } = Promise.withResolvers<AuthorizationResult>();
  const onAbort = (): void => resolve(aborted);
  signal.addEventListener('abort', onAbort, { once: true });
  void result.then(resolve);
  return await promise.finally(() => signal.removeEventListener('abort', onAbort));
}
