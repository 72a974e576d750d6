import type { Answer, Body, Item, Query, Version } from '../contracts.ts';
import { textOf, type ApiPromise, type Created } from '../core/answer.ts';
import { readCreated, type CreateOptions } from '../core/created.ts';
import type { Pages } from '../core/page.ts';
import type { Requester } from '../core/requester.ts';
import type { Options, Received } from '../core/send.ts';
import { readUntil, type WaitOptions } from '../core/wait.ts';

type Deposit<V extends Version> = Answer<V, 'getDeposit'>;
type Refund<V extends Version> = Answer<V, 'createRefund'>['refund'];

/** States in which a deposit stays, but for a refund of a paid one. */
const ends: readonly string[] = ['PAID', 'EXPIRED', 'REFUNDED', 'FAILED'];

/** How to wait for a deposit. */
export interface DepositWaitOptions<V extends Version = '0.1'> extends WaitOptions {
  /** What to wait for, in place of PAID, EXPIRED, REFUNDED or FAILED. */
  readonly until?: ((deposit: Deposit<V>) => boolean) | undefined;
}

/** Deposits: money that comes in. */
export class Deposits<V extends Version> {
  readonly refunds: DepositRefunds<V>;
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
    this.refunds = new DepositRefunds(requester);
  }

  /** Asks for a payment. `external_id` is yours: the same one again answers with the same deposit. */
  create(params: Body<V, 'createDeposit'>, options?: CreateOptions): ApiPromise<Created<Deposit<V>>> {
    return this.#requester.call('createDeposit', { body: params, read: readCreated(params, options) }, options);
  }

  get(id: string, options?: Options): ApiPromise<Deposit<V>> {
    return this.#requester.call('getDeposit', { ids: [id] }, options);
  }

  /** Newest first. */
  list(query?: Query<V, 'listDeposits'>, options?: Options): Pages<Item<V, 'listDeposits'>> {
    return this.#requester.list('listDeposits', { query }, options);
  }

  /** Only while it is PENDING. */
  cancel(id: string, options?: Options): ApiPromise<Deposit<V>> {
    const recover = async () => {
      const deposit: Deposit<V> = await this.get(id, options);
      return deposit.status === 'FAILED' ? deposit : undefined;
    };
    return this.#requester.call('cancelDeposit', { ids: [id], recover }, options);
  }

  /** The QR picture as SVG. */
  qrSvg(id: string, options?: Options): ApiPromise<string> {
    return this.#requester.call('getDepositQrSvg', { ids: [id], accept: 'image/svg+xml', read: textOf }, options);
  }

  /** The QR picture as PNG. */
  qrPng(id: string, options?: Options): ApiPromise<Uint8Array> {
    const read = ({ bytes }: Received) => bytes ?? new Uint8Array();
    return this.#requester.call('getDepositQrPng', { ids: [id], accept: 'image/png', read }, options);
  }

  /**
   * Reads it for at most `waitMs` (120 s) until it is PAID, EXPIRED, REFUNDED or FAILED, or as `until` wants it. A webhook
   * needs no waiting.
   *
   * @throws TimeoutError with the deposit as it was last
   */
  waitFor(id: string, options: DepositWaitOptions<V> = {}): Promise<Deposit<V>> {
    const { until = ({ status }: Deposit<V>) => ends.includes(status) } = options;
    return readUntil<Deposit<V>>(async () => this.get(id, options), until, options);
  }
}

/** Refunds of a deposit, in parts or whole. */
export class DepositRefunds<V extends Version> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Without an amount: what is left of it. */
  create(depositId: string, params: Body<V, 'createRefund'>, options?: CreateOptions): ApiPromise<Created<Refund<V>>> {
    const unwrap = (json: unknown) => (json as { refund: unknown }).refund;
    const read = readCreated<Refund<V>>({ ...params, deposit_id: depositId }, options, unwrap);
    return this.#requester.call('createRefund', { ids: [depositId], body: params, read }, options);
  }

  list(
    depositId: string,
    query?: Query<V, 'listDepositRefunds'>,
    options?: Options,
  ): Pages<Item<V, 'listDepositRefunds'>> {
    return this.#requester.list('listDepositRefunds', { ids: [depositId], query }, options);
  }
}

/** Refunds of every deposit. */
export class Refunds<V extends Version> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  get(id: string, options?: Options): ApiPromise<Answer<V, 'getRefund'>> {
    return this.#requester.call('getRefund', { ids: [id] }, options);
  }

  list(query?: Query<V, 'listRefunds'>, options?: Options): Pages<Item<V, 'listRefunds'>> {
    return this.#requester.list('listRefunds', { query }, options);
  }
}
