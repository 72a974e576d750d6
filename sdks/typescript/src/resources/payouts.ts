import type { Answer, Body, Item, Query, Version } from '../contracts.ts';
import { jsonOf, type ApiPromise, type Created } from '../core/answer.ts';
import { readCreated, type CreateOptions } from '../core/created.ts';
import { UnknownOutcome } from '../errors/errors.ts';
import type { Pages } from '../core/page.ts';
import type { Requester } from '../core/requester.ts';
import type { Options, Received } from '../core/send.ts';
import { readUntil, type WaitOptions } from '../core/wait.ts';

type Payout<V extends Version> = Answer<V, 'getPayout'>['payout'];

/** States in which a payout stays, and PENDING, in which it waits for a person to approve it. */
const ends: readonly string[] = ['PAID', 'FAILED', 'REJECTED', 'PENDING'];

/** How to wait for a payout. */
export interface PayoutWaitOptions<V extends Version = '0.1'> extends WaitOptions {
  /** What to wait for, in place of PAID, FAILED, REJECTED, or PENDING for a payout that a person has to approve. */
  readonly until?: ((payout: Payout<V>) => boolean) | undefined;
}

const unwrap = (json: unknown) => (json as { payout: unknown }).payout;

/** Payouts: money that goes out. */
export class Payouts<V extends Version> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /**
   * Sends money, once per `external_id`: keep it before you call, and send the same one again whatever went wrong.
   *
   * @throws ProviderTimeoutError when the outcome is not known yet: read the payout of `payoutId`; never send another
   * @throws InsufficientFundsError when the balance does not cover it; nothing was created
   */
  create(params: Body<V, 'createPayout'>, options?: CreateOptions): ApiPromise<Created<Payout<V>>> {
    const read = readCreated<Payout<V>>(params, options, unwrap);
    return this.#requester.call('createPayout', { body: params, read }, options);
  }

  get(id: string, options?: Options): ApiPromise<Payout<V>> {
    return this.#requester.call('getPayout', { ids: [id], read: readPayout<V> }, options);
  }

  /** Newest first. */
  list(query?: Query<V, 'listPayouts'>, options?: Options): Pages<Item<V, 'listPayouts'>> {
    return this.#requester.list('listPayouts', { query }, options);
  }

  /** Only while it is PENDING. */
  cancel(id: string, options?: Options): ApiPromise<Payout<V>> {
    const recover = async () => {
      const payout: Payout<V> = await this.get(id, options);
      return payout.status === 'REJECTED' ? payout : undefined;
    };
    return this.#requester.call('cancelPayout', { ids: [id], read: readPayout<V>, recover }, options);
  }

  /**
   * Reads it for at most `waitMs` (120 s) until it is PAID, FAILED or REJECTED, or as `until` wants it. A payout that is
   * PENDING waits for a person, for hours perhaps: without `until` it is answered as it is.
   *
   * @throws TimeoutError with the payout as it was last: it is still under way
   */
  waitFor(id: string, options: PayoutWaitOptions<V> = {}): Promise<Payout<V>> {
    const { until = ({ status }: Payout<V>) => ends.includes(status) } = options;
    return readUntil<Payout<V>>(async () => this.get(id, options), until, options);
  }

  /**
   * Sends money and waits for the end of it as `waitFor` does, also where the gateway does not know the outcome in time: the
   * payout is created once, and read from then on. It answers with PENDING where a person has to approve the payout.
   *
   * @throws TimeoutError after `waitMs` (120 s) with the payout as it was last: it is still under way
   */
  async createAndWait(
    params: Body<V, 'createPayout'>,
    options: CreateOptions & PayoutWaitOptions<V> = {},
  ): Promise<Payout<V>> {
    return this.waitFor(await this.#idOf(params, options), options);
  }

  async #idOf(params: Body<V, 'createPayout'>, options: CreateOptions): Promise<string> {
    try {
      const { id } = await this.create(params, options);
      return id;
    } catch (error) {
      if (error instanceof UnknownOutcome && error.payoutId !== undefined) return error.payoutId;
      throw error;
    }
  }
}

function readPayout<V extends Version>(received: Received): Payout<V> {
  return unwrap(jsonOf(received)) as Payout<V>;
}
