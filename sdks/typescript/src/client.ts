import type { Version } from './contracts.ts';
import type { ApiPromise } from './core/answer.ts';
import { GatewayError } from './errors/gateway-error.ts';
import {
  environmentOfProcess,
  fetchOnceOf,
  isBrowser,
  platformFetch,
  runtimeName,
  type FetchLike,
} from './core/platform.ts';
import { Requester } from './core/requester.ts';
import type { Options, ReceivedResponse, SentRequest, Transport } from './core/send.ts';
import { version } from './core/version.ts';
import type { Operation } from './generated/operations.ts';
import { Account, IpAllowlist } from './resources/account.ts';
import { Conversions, Quotes } from './resources/conversions.ts';
import { Deposits, Refunds } from './resources/deposits.ts';
import { Disputes } from './resources/disputes.ts';
import { Files } from './resources/files.ts';
import { Adjustments, Balance, Exports, Proof, Transactions } from './resources/money.ts';
import { Events } from './resources/events.ts';
import { Requests } from './resources/requests.ts';
import { Totals } from './resources/totals.ts';
import { Payouts } from './resources/payouts.ts';
import { TestMode } from './resources/test-mode.ts';
import { Deliveries, Webhooks } from './resources/webhooks.ts';

export interface GatewayOptions<V extends Version = '0.1'> {
  /** Where the gateway is: `https://gateway.example`. */
  readonly baseUrl: string;
  readonly publicKey: string;
  /** Never shown by anything of this package. */
  readonly secretKey: string;
  /** The contract of every call, whatever the key was issued for. */
  readonly apiVersion?: V | undefined;
  /** Of each attempt; 30 s, since a payout may take 25 s. */
  readonly timeoutMs?: number | undefined;
  /** Of all attempts of a call together; 90 s. */
  readonly deadlineMs?: number | undefined;
  /** How often a call is sent again at most; 3. */
  readonly maxRetries?: number | undefined;
  /** Before the first repetition at most; 500 ms, doubled with each further one up to 8 s. */
  readonly retryDelayMs?: number | undefined;
  /** In place of the platform's own. It must send each request once: what is repeated is decided here. */
  readonly fetch?: FetchLike | undefined;
  /** Your program, in the `User-Agent`: `shop/1.4`. */
  readonly appInfo?: string | undefined;
  /** Sees each attempt, without credentials. */
  readonly onRequest?: ((request: SentRequest) => void) | undefined;
  readonly onResponse?: ((response: ReceivedResponse) => void) | undefined;
  /** A page shows the secret key to everybody who opens it; only for pages of your own. */
  readonly dangerouslyAllowBrowser?: boolean | undefined;
}

export type Environment = 'test' | 'live';

/** A client of the gateway. One for a process is enough: it keeps no state but its configuration. */
export class Gateway<V extends Version = '0.1'> {
  /** Of the key: test and live are isolated from each other. */
  readonly environment: Environment;
  readonly apiVersion: V;
  readonly baseUrl: string;
  readonly deposits: Deposits<V>;
  readonly refunds: Refunds<V>;
  readonly payouts: Payouts<V>;
  readonly balance: Balance<V>;
  readonly transactions: Transactions<V>;
  readonly adjustments: Adjustments<V>;
  readonly exports: Exports<V>;
  readonly proof: Proof<V>;
  readonly disputes: Disputes<V>;
  readonly files: Files<V>;
  readonly quotes: Quotes<V>;
  readonly conversions: Conversions<V>;
  readonly webhooks: Webhooks<V>;
  readonly deliveries: Deliveries<V>;
  readonly events: Events<V>;
  readonly requests: Requests<V>;
  readonly totals: Totals<V>;
  readonly account: Account<V>;
  readonly ipAllowlist: IpAllowlist<V>;
  readonly test: TestMode<V>;
  readonly #requester: Requester;

  /** @throws GatewayError that names the option which does not fit */
  constructor(options: GatewayOptions<V>) {
    if (isBrowser() && options.dangerouslyAllowBrowser !== true)
      throw new GatewayError('a browser would show the secret key: call the gateway from a server');
    this.environment = environmentOf(options.publicKey);
    this.apiVersion = options.apiVersion ?? ('0.1' as V);
    this.baseUrl = addressOf(options.baseUrl);
    this.#requester = new Requester(transportOf(options, this.baseUrl, this.apiVersion));
    this.deposits = new Deposits(this.#requester);
    this.refunds = new Refunds(this.#requester);
    this.payouts = new Payouts(this.#requester);
    this.balance = new Balance(this.#requester);
    this.transactions = new Transactions(this.#requester);
    this.adjustments = new Adjustments(this.#requester);
    this.exports = new Exports(this.#requester);
    this.proof = new Proof(this.#requester);
    this.disputes = new Disputes(this.#requester);
    this.files = new Files(this.#requester);
    this.quotes = new Quotes(this.#requester);
    this.conversions = new Conversions(this.#requester);
    this.webhooks = new Webhooks(this.#requester);
    this.deliveries = new Deliveries(this.#requester);
    this.events = new Events(this.#requester);
    this.requests = new Requests(this.#requester);
    this.totals = new Totals(this.#requester);
    this.account = new Account(this.#requester);
    this.ipAllowlist = new IpAllowlist(this.#requester);
    this.test = new TestMode(this.#requester, this.environment === 'live');
  }

  /** By `GATEWAY_BASE_URL`, `GATEWAY_API_KEY` and `GATEWAY_API_SECRET`. @throws GatewayError that names what is missing */
  static fromEnv<V extends Version = '0.1'>(
    options: Partial<GatewayOptions<V>> = {},
    environment: Readonly<Record<string, string | undefined>> = environmentOfProcess(),
  ): Gateway<V> {
    const read = (name: string, given: string | undefined) => {
      const value = given ?? environment[name];
      if (value === undefined || value === '') throw new GatewayError(`${name} is not set`);
      return value;
    };
    return new Gateway<V>({
      ...options,
      baseUrl: read('GATEWAY_BASE_URL', options.baseUrl),
      publicKey: read('GATEWAY_API_KEY', options.publicKey),
      secretKey: read('GATEWAY_API_SECRET', options.secretKey),
    });
  }

  /**
   * Any route, also one that is newer than this package. A POST is not sent again when its outcome is unknown, unless its body
   * has an `external_id`.
   */
  request<Data = unknown>(
    method: Operation['method'],
    path: `/${string}`,
    {
      query,
      body,
      ...options
    }: Options & { readonly query?: object | undefined; readonly body?: object | undefined } = {},
  ): ApiPromise<Data> {
    const isRepeatable = method !== 'POST' || (body !== undefined && 'external_id' in body);
    const operation: Operation = { method, path, repeat: isRepeatable ? 'same' : 'never' };
    return this.#requester.send<Data>(operation, { query, body }, options);
  }
}

function transportOf<V extends Version>(options: GatewayOptions<V>, baseUrl: string, contract: V): Transport {
  const { publicKey, secretKey, appInfo } = options;
  for (const [name, value] of Object.entries({ publicKey, secretKey })) checkKey(name, value);
  const client = `gateway-ts/${version} (${runtimeName()})${appInfo === undefined ? '' : ` ${appInfo}`}`;
  const sending = options.fetch ?? platformFetch();
  return {
    baseUrl,
    fetch: sending,
    fetchOnce: options.fetch ?? fetchOnceOf(sending),
    timeoutMs: milliseconds('timeoutMs', options.timeoutMs, 30_000),
    deadlineMs: milliseconds('deadlineMs', options.deadlineMs, 90_000),
    maxRetries: milliseconds('maxRetries', options.maxRetries, 3),
    retryDelayMs: milliseconds('retryDelayMs', options.retryDelayMs, 500),
    credentials: () => ({ 'x-api-key': publicKey, 'x-api-secret': secretKey }),
    secrets: () => [secretKey],
    // A page may not say which agent it is.
    headers: { 'x-api-version': contract, [isBrowser() ? 'x-gateway-client' : 'user-agent']: client },
    onRequest: options.onRequest,
    onResponse: options.onResponse,
  };
}

/** @throws GatewayError that says why it is none, and never shows it */
function checkKey(name: string, value: unknown): void {
  if (typeof value !== 'string' || value.trim() === '') throw new GatewayError(`${name} is not a key: it is no text`);
  if (value.trim() !== value)
    throw new GatewayError(
      `${name} is not a key: it has a space or line end around it, as a file or variable may have`,
    );
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new GatewayError(`${name} is not a key: it has a space or a character within it that no key has`);
}

function milliseconds(name: string, value: number | undefined, otherwise: number): number {
  const given = value ?? otherwise;
  if (!Number.isFinite(given) || given < 0) throw new GatewayError(`${name} is not a number from 0 on`);
  return given;
}

function environmentOf(publicKey: string): Environment {
  const environment = /^(?:pk|ak)_(test|live)_/.exec(publicKey)?.[1];
  if (environment === undefined)
    throw new GatewayError('publicKey is not a public key: it begins with pk_test_ or pk_live_');
  return environment as Environment;
}

function addressOf(baseUrl: string): string {
  const parts = /^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?$/.test(baseUrl);
  if (!parts) throw new GatewayError('baseUrl is not an address such as https://gateway.example');
  const address = baseUrl.replace(/\/+$/, '');
  if (address.endsWith('/v1'))
    throw new GatewayError(
      `baseUrl ends in /v1, which the methods add: it has to be ${address.slice(0, -'/v1'.length)}`,
    );
  return address;
}
