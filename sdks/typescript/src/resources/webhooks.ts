import type { Answer, Body, Item, Query, Version } from '../contracts.ts';
import type { ApiPromise } from '../core/answer.ts';
import type { Pages } from '../core/page.ts';
import type { Requester } from '../core/requester.ts';
import type { Options } from '../core/send.ts';

const nothing = () => undefined;

/** Where events are delivered to. */
export class Webhooks<V extends Version> {
  readonly deliveries: WebhookDeliveries<V>;
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
    this.deliveries = new WebhookDeliveries(requester);
  }

  /** The answer alone has the `secret`: keep it. Not repeated when its outcome is unknown. */
  create(params: Body<V, 'createWebhook'>, options?: Options): ApiPromise<Answer<V, 'createWebhook'>> {
    return this.#requester.call('createWebhook', { body: params }, options);
  }

  get(id: string, options?: Options): ApiPromise<Answer<V, 'getWebhook'>> {
    return this.#requester.call('getWebhook', { ids: [id] }, options);
  }

  list(query?: Query<V, 'listWebhooks'>, options?: Options): Pages<Item<V, 'listWebhooks'>> {
    return this.#requester.list('listWebhooks', { query }, options);
  }

  update(id: string, params: Body<V, 'updateWebhook'>, options?: Options): ApiPromise<Answer<V, 'updateWebhook'>> {
    return this.#requester.call('updateWebhook', { ids: [id], body: params }, options);
  }

  delete(id: string, options?: Options): ApiPromise<void> {
    // 404 to a repetition: the first attempt has deleted it.
    const recover = async ({ status }: { readonly status: number }) => (status === 404 ? null : undefined);
    return this.#requester.call<unknown>(
      'deleteWebhook',
      { ids: [id], read: nothing, recover },
      options,
    ) as ApiPromise<void>;
  }

  /** Until the overlap ends, deliveries are signed with both secrets. Not repeated when its outcome is unknown. */
  rotateSecret(
    id: string,
    params?: Body<V, 'rotateWebhookSecret'>,
    options?: Options,
  ): ApiPromise<Answer<V, 'rotateWebhookSecret'>> {
    return this.#requester.call('rotateWebhookSecret', { ids: [id], body: params }, options);
  }

  /** Sends a signed sample to it. */
  test(id: string, options?: Options): ApiPromise<Answer<V, 'testWebhook'>> {
    return this.#requester.call('testWebhook', { ids: [id] }, options);
  }

  /** Delivers again what has failed in a period. */
  recover(
    id: string,
    params: Body<V, 'recoverWebhookDeliveries'>,
    options?: Options,
  ): ApiPromise<Answer<V, 'recoverWebhookDeliveries'>> {
    return this.#requester.call('recoverWebhookDeliveries', { ids: [id], body: params }, options);
  }

  /** Sends what it subscribes to of a period and was never given. */
  replay(
    id: string,
    params: Body<V, 'replayWebhookEvents'>,
    options?: Options,
  ): ApiPromise<Answer<V, 'replayWebhookEvents'>> {
    return this.#requester.call('replayWebhookEvents', { ids: [id], body: params }, options);
  }
}

/** What was delivered to a webhook, attempt by attempt. */
export class WebhookDeliveries<V extends Version> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  list(
    webhookId: string,
    query?: Query<V, 'listWebhookDeliveries'>,
    options?: Options,
  ): Pages<Item<V, 'listWebhookDeliveries'>> {
    return this.#requester.list('listWebhookDeliveries', { ids: [webhookId], query }, options);
  }

  get(webhookId: string, id: string, options?: Options): ApiPromise<Answer<V, 'getWebhookDelivery'>> {
    return this.#requester.call('getWebhookDelivery', { ids: [webhookId, id] }, options);
  }

  redeliver(webhookId: string, id: string, options?: Options): ApiPromise<Answer<V, 'redeliverWebhookDelivery'>> {
    return this.#requester.call('redeliverWebhookDelivery', { ids: [webhookId, id] }, options);
  }
}

/** Deliveries to every webhook, and to the callback URLs of deposits. */
export class Deliveries<V extends Version> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  get(id: string, options?: Options): ApiPromise<Answer<V, 'getDelivery'>> {
    return this.#requester.call('getDelivery', { ids: [id] }, options);
  }

  list(query?: Query<V, 'listDeliveries'>, options?: Options): Pages<Item<V, 'listDeliveries'>> {
    return this.#requester.list('listDeliveries', { query }, options);
  }

  redeliver(id: string, options?: Options): ApiPromise<Answer<V, 'redeliverDelivery'>> {
    return this.#requester.call('redeliverDelivery', { ids: [id] }, options);
  }
}
