import type { BacenConfig } from '#src/bacen/config.ts';
import type { CircuitState } from '#src/http/circuit-breaker.ts';
import type { CallOutcome } from '#src/http/classify.ts';
import { OAuthToken, tokenSchema } from '#src/http/oauth-token.ts';
import { ProviderClient, type ProviderCall } from '#src/http/provider-client.ts';
import type { CallOptions } from '#src/outcomes.ts';
import type { ProviderEnvironment } from '#src/payment-provider.ts';

/** Where providers that share the Pix API differ. */
export interface BacenDialect {
  /** What stands before `/cob` and `/pix`, behind the base address. */
  readonly apiPath: '' | '/v2';
  /** RFC 6749 asks for a form; Efí documents JSON. */
  readonly tokenRequest: 'form' | 'json';
}

export const standardDialect: BacenDialect = { apiPath: '', tokenRequest: 'form' };

export interface BacenConnectionOptions extends ProviderEnvironment {
  readonly config: BacenConfig;
  readonly dialect: BacenDialect;
}

/** An authenticated connection to one provider: client certificate where it has one, OAuth token on every call. */
export class BacenConnection implements AsyncDisposable {
  readonly config: BacenConfig;
  readonly now: () => Date;
  readonly dialect: BacenDialect;
  readonly #client: ProviderClient;
  readonly #tokenClient: ProviderClient;
  readonly #token: OAuthToken;

  constructor({ config, dialect, now, onUnreadable, onExchange, onScopes }: BacenConnectionOptions) {
    this.config = config;
    this.now = now;
    this.dialect = dialect;
    const { baseUrl, tokenUrl, callTimeoutMs, tls } = config;
    const shared = { callTimeoutMs, tls, onUnreadable, onExchange, nowMs: () => performance.now() };
    this.#client = new ProviderClient({ ...shared, baseUrl });
    this.#tokenClient = new ProviderClient({ ...shared, baseUrl: tokenUrl });
    this.#token = new OAuthToken({
      nowMs: shared.nowMs,
      requestToken: async () => await this.#requestToken(),
      onScopes,
    });
  }

  get circuit(): CircuitState {
    return this.#client.circuit;
  }

  /** A call of the Pix API: the path as BACEN writes it. */
  async pixApi<T>(call: ProviderCall<T>, options?: CallOptions): Promise<CallOutcome<T>> {
    return await this.call({ ...call, path: `${this.dialect.apiPath}${call.path}` }, options);
  }

  /** A call of the provider's own. */
  async call<T>(call: ProviderCall<T>, options?: CallOptions): Promise<CallOutcome<T>> {
    return await this.#client.call(this.#token, call, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#client[Symbol.asyncDispose](), this.#tokenClient[Symbol.asyncDispose]()]);
  }

  async #requestToken() {
    const { clientId, clientSecret, scope } = this.config;
    const grant = { grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) };
    const basic = Buffer.from(`${clientId}:${clientSecret}`, 'utf8').toString('base64');
    return await this.#tokenClient.callOpenly({
      method: 'POST',
      path: '',
      headers: { authorization: `Basic ${basic}` },
      ...(this.dialect.tokenRequest === 'form' ? { form: grant } : { body: grant }),
      schema: tokenSchema,
    });
  }
}
