import type { Answer, Body, Item, Query, Version } from '../contracts.ts';
import { jsonOf, type ApiPromise, type Created } from '../core/answer.ts';
import { readCreated, type CreateOptions } from '../core/created.ts';
import type { Pages } from '../core/page.ts';
import type { Requester } from '../core/requester.ts';
import type { Options, Received } from '../core/send.ts';

type Conversion<V extends Version> = Answer<V, 'getConversion'>['conversion'];

const unwrap = (json: unknown) => (json as { conversion: unknown }).conversion;

/** Rates that hold for seconds. */
export class Quotes<V extends Version> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  create(params: Body<V, 'createQuote'>, options?: Options): ApiPromise<Answer<V, 'createQuote'>> {
    return this.#requester.call('createQuote', { body: params }, options);
  }

  get(id: string, options?: Options): ApiPromise<Answer<V, 'getQuote'>> {
    return this.#requester.call('getQuote', { ids: [id] }, options);
  }
}

/** Money of one currency that becomes money of another. */
export class Conversions<V extends Version> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** By a quote, or at the rate of now. Once per `external_id`. */
  create(params: Body<V, 'createConversion'>, options?: CreateOptions): ApiPromise<Created<Conversion<V>>> {
    const read = readCreated<Conversion<V>>(params, options, unwrap);
    return this.#requester.call('createConversion', { body: params, read }, options);
  }

  get(id: string, options?: Options): ApiPromise<Conversion<V>> {
    const read = (received: Received) => unwrap(jsonOf(received)) as Conversion<V>;
    return this.#requester.call('getConversion', { ids: [id], read }, options);
  }

  list(query?: Query<V, 'listConversions'>, options?: Options): Pages<Item<V, 'listConversions'>> {
    return this.#requester.list('listConversions', { query }, options);
  }
}
