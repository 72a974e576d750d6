import type { Answer, Item, Query, Version } from '../contracts.ts';
import type { ApiPromise } from '../core/answer.ts';
import type { Pages } from '../core/page.ts';
import type { Requester } from '../core/requester.ts';
import type { Options } from '../core/send.ts';

/** What happened to the records of the account, whether or not a webhook received it. */
export class Events<V extends Version> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** With `order: 'asc'` and the id of the last event as `cursor`, each event is seen exactly once. */
  list(query?: Query<V, 'listEvents'>, options?: Options): Pages<Item<V, 'listEvents'>> {
    return this.#requester.list('listEvents', { query }, options);
  }

  get(id: string, options?: Options): ApiPromise<Answer<V, 'getEvent'>> {
    return this.#requester.call('getEvent', { ids: [id] }, options);
  }

  /** What was made of an event for each webhook and callback URL. */
  deliveries(id: string, options?: Options): Pages<Item<V, 'listEventDeliveries'>> {
    return this.#requester.list('listEventDeliveries', { ids: [id] }, options);
  }
}
