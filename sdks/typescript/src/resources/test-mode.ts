import type { Answer, Body, Version } from '../contracts.ts';
import { ApiPromise, jsonOf } from '../core/answer.ts';
import type { Request, Requester } from '../core/requester.ts';
import type { Options, Received } from '../core/send.ts';
import { TestOnlyError } from '../generated/errors.ts';
import type { OperationId } from '../generated/operations.ts';

type Deposit<V extends Version> = Answer<V, 'getDeposit'>;
type Dispute<V extends Version> = Answer<V, 'getDispute'>;
type Payout<V extends Version> = Answer<V, 'getPayout'>['payout'];

/** What happens to payments in the world, made to happen. With a live key every method rejects before it sends anything. */
export class TestMode<V extends Version> {
  readonly deposits: TestDeposits<V>;
  readonly disputes: TestDisputes<V>;
  readonly payouts: TestPayouts<V>;
  readonly webhooks: TestWebhooks<V>;
  readonly balance: TestBalance<V>;

  constructor(requester: Requester, isLive: boolean) {
    const call = isLive ? refuse : requester.call.bind(requester);
    this.deposits = new TestDeposits(call);
    this.disputes = new TestDisputes(call);
    this.payouts = new TestPayouts(call);
    this.webhooks = new TestWebhooks(call);
    this.balance = new TestBalance(call);
  }
}

type Simulate = <Data>(id: OperationId, request: Request<Data>, options?: Options) => ApiPromise<Data>;

function refuse(): ApiPromise<never> {
  return new ApiPromise(async () => {
    throw new TestOnlyError({
      ...{ status: 403, code: 'TEST_ONLY', message: 'the key is live: nothing was sent' },
      ...{ details: [], requestId: undefined, headers: {}, attempts: 0, retryAfterSec: undefined, ids: {} },
    });
  });
}

export class TestDeposits<V extends Version> {
  readonly #call: Simulate;

  constructor(call: Simulate) {
    this.#call = call;
  }

  /**
   * It is PAID, and its money in the balance, when this answers. With an amount it is not repeated when its outcome is unknown:
   * a second one is a second transfer.
   */
  pay(id: string, params?: Body<V, 'simulateDepositPayment'>, options?: Options): ApiPromise<Deposit<V>> {
    const recover = () => this.#readIn(['PAID', 'REFUNDED'], id, options);
    const asked = (params ?? {}) as { readonly amount?: number | null; readonly amount_cents?: number | null };
    const isTransfer = typeof (asked.amount ?? asked.amount_cents) === 'number';
    const request = { ids: [id], body: params, recover, ...(isTransfer ? { repeat: 'never' as const } : {}) };
    return this.#call('simulateDepositPayment', request, options);
  }

  expire(id: string, options?: Options): ApiPromise<Deposit<V>> {
    const recover = () => this.#readIn(['EXPIRED'], id, options);
    return this.#call('simulateDepositExpiry', { ids: [id], recover }, options);
  }

  dispute(id: string, params?: Body<V, 'simulateDispute'>, options?: Options): ApiPromise<Dispute<V>> {
    return this.#call('simulateDispute', { ids: [id], body: params }, options);
  }

  async #readIn(states: readonly string[], id: string, options?: Options): Promise<Deposit<V> | undefined> {
    const deposit: Deposit<V> = await this.#call<Deposit<V>>('getDeposit', { ids: [id] }, options);
    return states.includes(deposit.status) ? deposit : undefined;
  }
}

export class TestDisputes<V extends Version> {
  readonly #call: Simulate;

  constructor(call: Simulate) {
    this.#call = call;
  }

  resolve(id: string, params: Body<V, 'simulateDisputeResult'>, options?: Options): ApiPromise<Dispute<V>> {
    const wanted = (params as unknown as { readonly result: string }).result.toUpperCase();
    const recover = async () => {
      const dispute: Dispute<V> = await this.#call<Dispute<V>>('getDispute', { ids: [id] }, options);
      return dispute.status === wanted ? dispute : undefined;
    };
    return this.#call('simulateDisputeResult', { ids: [id], body: params, recover }, options);
  }
}

export class TestPayouts<V extends Version> {
  readonly #call: Simulate;

  constructor(call: Simulate) {
    this.#call = call;
  }

  /** Not repeated when its outcome is unknown: a second `returned` is a second return. */
  settle(id: string, params: Body<V, 'simulatePayoutResult'>, options?: Options): ApiPromise<Payout<V>> {
    const read = (received: Received) => (jsonOf(received) as { payout: Payout<V> }).payout;
    return this.#call('simulatePayoutResult', { ids: [id], body: params, read }, options);
  }

  /** Lets a PENDING one go its way; one that was approved before is answered as it is. */
  approve(id: string, options?: Options): ApiPromise<Payout<V>> {
    const read = (received: Received) => (jsonOf(received) as { payout: Payout<V> }).payout;
    return this.#call('simulatePayoutApproval', { ids: [id], read }, options);
  }
}

export class TestWebhooks<V extends Version> {
  readonly #call: Simulate;

  constructor(call: Simulate) {
    this.#call = call;
  }

  /** Warns its owner as after an hour of failing calls, or disables it as after 72. Not repeated when its outcome is unknown. */
  fail(
    id: string,
    params: Body<V, 'simulateWebhookFailure'>,
    options?: Options,
  ): ApiPromise<Answer<V, 'simulateWebhookFailure'>> {
    return this.#call('simulateWebhookFailure', { ids: [id], body: params }, options);
  }
}

export class TestBalance<V extends Version> {
  readonly #call: Simulate;

  constructor(call: Simulate) {
    this.#call = call;
  }

  /** What is pending is available when this answers. */
  release(options?: Options): ApiPromise<Answer<V, 'releaseTestBalance'>> {
    return this.#call('releaseTestBalance', {}, options);
  }
}
