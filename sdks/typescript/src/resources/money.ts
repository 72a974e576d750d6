import type { Answer, Body, Item, Query, Version } from '../contracts.ts';
import { textOf, type ApiPromise, type Created } from '../core/answer.ts';
import { readCreated, type CreateOptions } from '../core/created.ts';
import type { Pages } from '../core/page.ts';
import type { Requester } from '../core/requester.ts';
import type { Options } from '../core/send.ts';

/** What an account has. */
export class Balance<V extends Version> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Now, or with `at` as it stood then. */
  get(query?: Query<V, 'getBalance'>, options?: Options): ApiPromise<Answer<V, 'getBalance'>> {
    return this.#requester.call('getBalance', { query }, options);
  }

  /** What becomes available when. */
  pending(query?: Query<V, 'getPendingBalance'>, options?: Options): ApiPromise<Answer<V, 'getPendingBalance'>> {
    return this.#requester.call('getPendingBalance', { query }, options);
  }
}

/** The entries of the ledger: every movement of the available balance. */
export class Transactions<V extends Version> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Newest first. */
  list(query?: Query<V, 'listTransactions'>, options?: Options): Pages<Entry<V>> {
    return this.#requester.list('listTransactions', { query }, options);
  }

  /**
   * The same entries as CSV: a stream of any length, which the caller reads. The signal ends the reading too, and so does a
   * silence of `timeoutMs`, with a TimeoutError.
   */
  csv(query?: Query<V, 'listTransactions'>, options?: Options): ApiPromise<AsyncIterable<Uint8Array>> {
    return this.#requester.pieces('listTransactions', { query, accept: 'text/csv' }, options);
  }

  /** The signed receipt of an entry, as text; JSON with the time it will be there while it is not. */
  receipt(id: string, options?: Options): ApiPromise<string> {
    const accept = 'text/plain, application/json';
    return this.#requester.call('getTransactionReceipt', { ids: [id], accept, read: textOf }, options);
  }
}

type Entry<V extends Version> = Extract<Item<V, 'listTransactions'>, { readonly ref_id: unknown }>;

/** What proves that the ledger was not changed afterwards. */
export class Proof<V extends Version> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  consistency(query: Query<V, 'getProofConsistency'>, options?: Options): ApiPromise<string> {
    return this.#requester.call('getProofConsistency', { query, accept: 'text/plain', read: textOf }, options);
  }

  keys(options?: Options): ApiPromise<Answer<V, 'listProofKeys'>> {
    return this.#requester.call('listProofKeys', {}, options);
  }
}

/** Corrections of the balance by the operators. */
export class Adjustments<V extends Version> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  get(id: string, options?: Options): ApiPromise<Answer<V, 'getAdjustment'>> {
    return this.#requester.call('getAdjustment', { ids: [id] }, options);
  }
}

/** Files of a period, made in the background. */
export class Exports<V extends Version> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  create(params: Body<V, 'createExport'>, options?: CreateOptions): ApiPromise<Created<Answer<V, 'createExport'>>> {
    const read = readCreated<Answer<V, 'createExport'>>(params, options);
    return this.#requester.call('createExport', { body: params, read }, options);
  }

  get(id: string, options?: Options): ApiPromise<Answer<V, 'getExport'>> {
    return this.#requester.call('getExport', { ids: [id] }, options);
  }

  list(query?: Query<V, 'listExports'>, options?: Options): Pages<Item<V, 'listExports'>> {
    return this.#requester.list('listExports', { query }, options);
  }
}
