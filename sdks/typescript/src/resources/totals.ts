import type { Answer, Query, Version } from '../contracts.ts';
import type { ApiPromise } from '../core/answer.ts';
import type { Requester } from '../core/requester.ts';
import type { Options } from '../core/send.ts';

/** How many payments there were, and what they add up to. */
export class Totals<V extends Version> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** By the day, or with `by: 'hour'` by the hour. */
  get(query?: Query<V, 'getTotals'>, options?: Options): ApiPromise<Answer<V, 'getTotals'>> {
    return this.#requester.call('getTotals', { query }, options);
  }
}
