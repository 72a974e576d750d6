import { Gateway, type Version } from '@gateway/sdk';
import { UsageError } from '../faults/errors.ts';
import type { Output } from '../output/output.ts';
import { connectionOf, type Connection } from '../settings/connection.ts';
import type { Variables } from '../settings/folders.ts';
import { requirePermission, type Change, type LivePermission } from './live-guard.ts';
import type { LoggedCall } from './request-log.ts';
import { version } from './version.ts';
import { watchedFetch } from './watched-fetch.ts';

/** What of the global flags calls go by. */
export interface CallFlags extends LivePermission {
  readonly profile?: string | undefined;
  readonly 'base-url'?: string | undefined;
  readonly contract?: string | undefined;
  readonly timeout?: string | undefined;
}

interface Run {
  readonly variables: Variables;
  /** The working folder. */
  readonly folder: string;
  readonly output: Output;
  /** Aborts when the person interrupts. */
  readonly signal: AbortSignal;
  readonly flags: CallFlags;
}

const timeoutSecDefault = 30;
const msPerSecond = 1_000;

/** One run of the command line. */
export class Session {
  readonly variables: Variables;
  readonly folder: string;
  readonly output: Output;
  readonly signal: AbortSignal;
  readonly #flags: CallFlags;
  #connection: Connection | undefined;

  constructor({ variables, folder, output, signal, flags }: Run) {
    this.variables = variables;
    this.folder = folder;
    this.output = output;
    this.signal = signal;
    this.#flags = flags;
  }

  /** @throws UsageError when no key is set up */
  get connection(): Connection {
    this.#connection ??= connectionOf(this.#flags, this.variables);
    return this.#connection;
  }

  get contract(): Version {
    const { contract = '0.1' } = this.#flags;
    if (contract !== '0.1' && contract !== '1.0') throw new UsageError('--contract is 0.1 or 1.0');
    return contract;
  }

  get timeoutMs(): number {
    const seconds = Number(this.#flags.timeout ?? timeoutSecDefault);
    if (!Number.isFinite(seconds) || seconds <= 0) throw new UsageError('--timeout is a number of seconds');
    return seconds * msPerSecond;
  }

  /** A client of the contract in use, or of another. Every call of it is logged and guarded. */
  gateway<V extends Version = '0.1'>(
    contract: V = this.contract as V,
    onCall?: (call: LoggedCall) => void,
  ): Gateway<V> {
    return this.gatewayOf(this.connection, contract, onCall);
  }

  /** A client with another key, such as one that is about to be kept. */
  gatewayOf<V extends Version>(connection: Connection, contract: V, onCall?: (call: LoggedCall) => void): Gateway<V> {
    const { base_url: baseUrl, public_key: publicKey, secret_key: secretKey, environment } = connection;
    return new Gateway<V>({
      ...{ baseUrl, publicKey, secretKey, apiVersion: contract },
      ...{ timeoutMs: this.timeoutMs, deadlineMs: this.timeoutMs },
      appInfo: `gateway-cli/${version}`,
      fetch: watchedFetch({ environment, mayChange: this.#flags.live === true, variables: this.variables, onCall }),
    });
  }

  /** To be called before anything is sent that changes something. @throws UsageError where it is not permitted */
  permit(change: Change): Promise<void> {
    return requirePermission(change, this.connection, this.#flags, this.output);
  }

  /** @throws UsageError with a live key */
  requireTestKey(what: string): void {
    const { environment, name } = this.connection;
    if (environment === 'live')
      throw new UsageError(`${what} takes a test key: ${name ?? 'the key'} is live. Nothing was sent.`);
  }
}
