import { failureCodes } from '#src/failure-codes.ts';
import { failureCodeOf } from '#src/failure-taxonomy.ts';
import { fixedAuthorization, type Authorization } from '#src/http/authorization.ts';
import { shapeOf } from '#src/http/body-shape.ts';
import type { CircuitState } from '#src/http/circuit-breaker.ts';
import type { CallOutcome, Rejected } from '#src/http/classify.ts';
import { ProviderClient, type ProviderCall } from '#src/http/provider-client.ts';
import type { CallOptions, NotSent, Refused, Unknown } from '#src/outcomes.ts';
import type { ProviderEnvironment } from '#src/payment-provider.ts';
import type { SpeiConfig } from '#src/spei/config.ts';
import { errorSchema } from '#src/spei/wire.ts';

/** A SPEI provider over HTTP: an API key on every call. */
export class SpeiConnection implements AsyncDisposable {
  readonly config: SpeiConfig;
  readonly now: () => Date;
  readonly #client: ProviderClient;
  readonly #authorization: Authorization;

  constructor(config: SpeiConfig, { now, onUnreadable, onExchange }: ProviderEnvironment) {
    this.config = config;
    this.now = now;
    const { baseUrl, callTimeoutMs, apiKey } = config;
    this.#client = new ProviderClient({
      baseUrl,
      callTimeoutMs,
      onUnreadable,
      onExchange,
      nowMs: () => performance.now(),
    });
    this.#authorization = fixedAuthorization(`Bearer ${apiKey}`);
  }

  get circuit(): CircuitState {
    return this.#client.circuit;
  }

  async call<T>(call: ProviderCall<T>, options?: CallOptions): Promise<CallOutcome<T>> {
    return await this.#client.call(this.#authorization, call, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
  }
}

/** A refusal names its reason: `{ error: { code, message } }`. Anything else may come from a proxy in between. */
export function refusal({ status, body }: Rejected): Refused | Unknown {
  const reported = errorSchema.safeParse(body);
  if (!reported.success) return { kind: 'unknown', cause: `the provider answered ${status} with ${shapeOf(body)}` };
  const { code, message } = reported.data.error;
  return { kind: 'refused', code: failureCodeOf(code), message, raw: body };
}

/** Why something that was accepted failed. */
export function reasonOf(failure: { readonly code: string; readonly message: string } | null | undefined) {
  const code = failureCodeOf(failure?.code);
  return { code, message: failure?.message ?? failureCodes[code].meaning };
}

export function unsupported(cause: string): NotSent {
  return { kind: 'not_sent', reason: 'unsupported', cause };
}
