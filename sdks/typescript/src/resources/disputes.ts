import type { Answer, Body, Item, Query, Version } from '../contracts.ts';
import type { ApiPromise } from '../core/answer.ts';
import type { Pages } from '../core/page.ts';
import type { Requester } from '../core/requester.ts';
import type { Options } from '../core/send.ts';

/** Payments that their payer's bank wants back (MED). */
export class Disputes<V extends Version> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  get(id: string, options?: Options): ApiPromise<Answer<V, 'getDispute'>> {
    return this.#requester.call('getDispute', { ids: [id] }, options);
  }

  list(query?: Query<V, 'listDisputes'>, options?: Options): Pages<Item<V, 'listDisputes'>> {
    return this.#requester.list('listDisputes', { query }, options);
  }

  /** Not repeated when its outcome is unknown: read the dispute, which shows its evidence. */
  submitEvidence(
    id: string,
    params: Body<V, 'submitDisputeEvidence'>,
    options?: Options,
  ): ApiPromise<Answer<V, 'submitDisputeEvidence'>> {
    return this.#requester.call('submitDisputeEvidence', { ids: [id], body: params }, options);
  }
}
