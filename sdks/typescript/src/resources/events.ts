import type { Answer, Body, Item, Query, Version } from '../contracts.ts';
import type { ApiPromise } from '../core/answer.ts';
import { follow } from '../core/follow.ts';
import type { Pages } from '../core/page.ts';
import type { Requester } from '../core/requester.ts';
import type { Options, Received } from '../core/send.ts';

/** Which events a stream brings, and from where on. */
export interface StreamParams extends Options {
  /** The id of the event to go on after; without one, the stream begins now. */
  readonly after?: string | undefined;
  /** Names of events, or kinds such as `deposit.*`. */
  readonly events?: Query<'0.1', 'streamEvents'>['event'] | undefined;
  /** Only events about the record with this id. */
  readonly dataId?: string | undefined;
  /** `false`: the walk ends when it has caught up. */
  readonly follow?: boolean | undefined;
  /**
   * Hears the id up to which the stream has looked where no event says it. Keep it as that of an event: with a filter that takes
   * few events the last of them may be older than the log.
   */
  readonly onPlace?: ((id: string) => void) | undefined;
}

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

  /** Sends an event to a webhook, also one that is newer than the event. Not repeated when its outcome is unknown. */
  deliver(id: string, params: Body<V, 'deliverEvent'>, options?: Options): ApiPromise<Answer<V, 'deliverEvent'>> {
    return this.#requester.call('deliverEvent', { ids: [id], body: params }, options);
  }

  /** What was made of an event for each webhook and callback URL. */
  deliveries(id: string, options?: Options): Pages<Item<V, 'listEventDeliveries'>> {
    return this.#requester.list('listEventDeliveries', { ids: [id] }, options);
  }

  /**
   * The events as they are recorded. A connection that is lost is opened again after the last event, so that the walk has
   * each event once, in the order of the log; keep the id of the last one to go on with `after` when your program is
   * started again. It ends with its signal, with `follow: false`, or by `break`.
   *
   * @throws ApiError for a refusal that will not pass: 400 when the event to go on after is no longer kept
   */
  async *stream(params: StreamParams = {}): AsyncGenerator<Item<V, 'listEvents'>, void, undefined> {
    const { after, events, dataId, follow: follows, onPlace, ...options } = params;
    const query = { event: events, data_id: dataId, follow: follows };
    const read = ({ response }: Received) => response;
    const open = (lastEventId: string | undefined) => {
      const headers: Record<string, string> = { ...options.headers };
      if (lastEventId !== undefined) headers['last-event-id'] = lastEventId;
      const request = { query, accept: 'text/event-stream', read, unread: true };
      return this.#requester.call('streamEvents', request, { ...options, headers });
    };
    for await (const data of follow({ open, after, onPlace, signal: options.signal }))
      yield JSON.parse(data) as Item<V, 'listEvents'>;
  }
}
