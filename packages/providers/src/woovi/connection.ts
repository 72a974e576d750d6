import { fixedAuthorization, type Authorization } from '#src/http/authorization.ts';
import { shapeOf } from '#src/http/body-shape.ts';
import type { CircuitState } from '#src/http/circuit-breaker.ts';
import { lookedUp, type CallOutcome, type Rejected } from '#src/http/classify.ts';
import { ProviderClient, type ProviderCall } from '#src/http/provider-client.ts';
import { failureCodeOf } from '#src/failure-taxonomy.ts';
import type { CallOptions, NotFound, Refused, Unavailable, Unknown } from '#src/outcomes.ts';
import type { ProviderEnvironment } from '#src/payment-provider.ts';
import type { WooviConfig } from '#src/woovi/config.ts';
import { errorSchema } from '#src/woovi/wire.ts';

/** Woovi over HTTP: the AppID on every call, no client certificate. */
export class WooviConnection implements AsyncDisposable {
  readonly config: WooviConfig;
  readonly now: () => Date;
  readonly #client: ProviderClient;
  readonly #authorization: Authorization;

  constructor(config: WooviConfig, { now, onUnreadable, onExchange }: ProviderEnvironment) {
    this.config = config;
    this.now = now;
    const { baseUrl, callTimeoutMs, appId } = config;
    this.#client = new ProviderClient({
      baseUrl,
      callTimeoutMs,
      onUnreadable,
      onExchange,
      nowMs: () => performance.now(),
    });
    this.#authorization = fixedAuthorization(appId);
  }

  get circuit(): CircuitState {
    return this.#client.circuit;
  }

  async call<T>(call: ProviderCall<T>, options?: CallOptions): Promise<CallOutcome<T>> {
    return await this.#client.call(this.#authorization, call, options);
  }

  /** A call of what Woovi shows to everybody. */
  async callOpenly<T>(call: ProviderCall<T>): Promise<CallOutcome<T>> {
    return await this.#client.callOpenly(call);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
  }
}

/** Woovi has no machine-readable code: the text of `error` is all there is, sometimes a name, mostly a sentence. */
export function refusal({ status, body }: Rejected): Refused | Unknown {
  const reported = errorSchema.safeParse(body);
  if (!reported.success) return { kind: 'unknown', cause: `the provider answered ${status} with ${shapeOf(body)}` };
  const { error, errorCode } = reported.data;
  return { kind: 'refused', code: failureCodeOf(errorCode ?? error), message: error, raw: body };
}

/** A lookup; "not found" is a 400 with that text as often as a 404. */
export function wooviLookedUp<T>(outcome: CallOutcome<T>): { status: 'FOUND'; value: T } | NotFound | Unavailable {
  if (outcome.kind === 'rejected' && isNotFound(outcome)) return { status: 'NOT_FOUND' };
  return lookedUp(outcome);
}

/** Whether Woovi itself says that there is no such thing. */
export function isNotFound({ status, body }: Rejected): boolean {
  if (status === 404) return true;
  const reported = errorSchema.safeParse(body);
  return status === 400 && reported.success && /not found|n[ãa]o encontrad/i.test(reported.data.error);
}
