import type { Answer, Item, Query, Version } from '../contracts.ts';
import type { ApiPromise } from '../core/answer.ts';
import type { Pages } from '../core/page.ts';
import type { Requester } from '../core/requester.ts';
import type { Options } from '../core/send.ts';

/** What the keys of the account asked and were answered. */
export class Requests<V extends Version> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** By its id in the log, or by its `X-Request-Id`: that of an error is its `requestId`. */
  get(id: string, options?: Options): ApiPromise<Answer<V, 'getRequest'>> {
    return this.#requester.call('getRequest', { ids: [id] }, options);
  }

  list(query?: Query<V, 'listRequests'>, options?: Options): Pages<Item<V, 'listRequests'>> {
    return this.#requester.list('listRequests', { query }, options);
  }
}
