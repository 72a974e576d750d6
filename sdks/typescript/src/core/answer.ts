import { ConnectionError } from '../errors/errors.ts';
import { requestIdOf, type ResponseLike } from './platform.ts';
import type { Received } from './send.ts';

/** How a call went, beside what it answered. */
export interface Meta {
  /** False when the record was there already: the `external_id` was used before. */
  readonly created: boolean;
  readonly status: number;
  readonly requestId: string | undefined;
  /** How often the call was sent. */
  readonly attempts: number;
  /** Undefined where the answer says nothing of it. */
  readonly rateLimit: RateLimit | undefined;
}

/** What a key can still ask. */
export interface RateLimit {
  /** The largest number of calls that it can make at once. */
  readonly limit: number;
  /** How many it can still make at once. */
  readonly remaining: number;
  /** Seconds until it can make `limit` again. */
  readonly resetSec: number;
}

/** A record that a call made, with how the call went; `meta` is no member of its JSON. */
export type Created<Record> = Record & { readonly meta: Meta };

export interface WithResponse<Data> {
  readonly data: Data;
  readonly response: ResponseLike;
  readonly requestId: string | undefined;
}

/** What came of a call. */
export interface Answered<Data> {
  readonly data: Data;
  readonly received: Received;
}

/**
 * A call under way: `await` gives its record. It is sent once, in the next microtask, however often it is awaited.
 */
export class ApiPromise<Data> implements Promise<Data> {
  readonly [Symbol.toStringTag] = 'ApiPromise';
  #unread = false;
  readonly #answered: Promise<Answered<Data>>;

  /** @param start sends the call; `unread` leaves the answer to the caller */
  constructor(start: (unread: boolean) => Promise<Answered<Data>>) {
    this.#answered = Promise.resolve().then(() => start(this.#unread));
  }

  then<A = Data, B = never>(
    onFulfilled?: ((data: Data) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#answered.then(({ data }) => data).then(onFulfilled, onRejected);
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<Data | B> {
    return this.then(undefined, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<Data> {
    return this.then().finally(onFinally);
  }

  /** The record with the answer it came in. */
  async withResponse(): Promise<WithResponse<Data>> {
    const { data, received } = await this.#answered;
    return { data, response: received.response, requestId: requestIdOf(received.response) };
  }

  /**
   * The answer, unread. To be called at once, before anything is awaited. The call's signal ends the reading as well; the
   * time of an attempt ends with the headers. A signal keeps a listener for each answer that was asked for like this: give each
   * call one of its own.
   */
  async raw(): Promise<ResponseLike> {
    this.#unread = true;
    return (await this.#answered).received.response;
  }
}

/** An answer as text. */
export function textOf({ bytes }: Pick<Received, 'bytes'>): string {
  return new TextDecoder().decode(bytes);
}

/** @throws ConnectionError for a success that is not JSON, which only something between here and the gateway answers */
export function jsonOf({ bytes, attempts }: Received): unknown {
  const text = textOf({ bytes });
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new ConnectionError('the answer is not JSON: a proxy may have answered', { sent: true, attempts });
  }
}

function rateLimitOf({ headers }: ResponseLike): RateLimit | undefined {
  const stated = (name: string) => headers.get(`ratelimit-${name}`);
  const [limit, remaining, resetSec] = [stated('limit'), stated('remaining'), stated('reset')] as const;
  // A proxy may have written them in another way.
  if (![limit, remaining, resetSec].every((value) => value !== null && /^\d{1,9}$/.test(value))) return undefined;
  return { limit: Number(limit), remaining: Number(remaining), resetSec: Number(resetSec) };
}

/** @returns the record with how its call went */
export function withMeta<Data extends object>(record: Data, received: Received): Created<Data> {
  const { response, attempts } = received;
  const { status } = response;
  const rateLimit = rateLimitOf(response);
  const meta: Meta = { created: status !== 200, status, requestId: requestIdOf(response), attempts, rateLimit };
  return Object.defineProperty(record, 'meta', { value: meta, enumerable: false }) as Created<Data>;
}
