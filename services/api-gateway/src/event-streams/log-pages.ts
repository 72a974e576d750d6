import type { RequestOf } from '@gateway/contracts/messages';
import { listEvents, type LoggedEvent } from '@gateway/contracts/webhooks';
import { callRpc, type Bus } from '@gateway/messaging';
import { presentEvent } from '@gateway/public-api';

const pageEvents = 200;
/** Of each read; a stream as a whole has no deadline. */
const readTimeoutMs = 5_000;

type ListRequest = RequestOf<typeof listEvents>;
/** Whose log is followed, which of its events, and how they are shown. */
export type Followed = Pick<ListRequest, 'environment' | 'accountId' | 'events' | 'dataId' | 'apiVersion' | 'language'>;

/** What comes after an event. */
export interface LogPage {
  /** As it is sent. */
  readonly frames: Buffer;
  readonly count: number;
  /** Where to go on from; undefined while the log is empty. */
  readonly seen: string | undefined;
  /** More was there at the time. */
  readonly hasMore: boolean;
}

/**
 * Reads the log page by page. Streams that were woken by the same hint and stand at the same event get the same page: it
 * is asked for once, and is in memory once. A page that was asked for earlier is not shared: what the hint is about may
 * have been recorded after it.
 */
export class LogPages {
  readonly #bus: Bus;
  readonly #asked = new Map<string, Promise<LogPage>>();

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  /** The newest event, whatever is followed of the log. */
  async newest(followed: Followed): Promise<string | undefined> {
    const { events: _names, dataId: _record, ...log } = followed;
    const { events } = await this.#list({ ...log, order: 'desc', limit: 1 });
    return events[0]?.id;
  }

  /** @throws ValidationError naming `cursor` when the event is not in the log, or no longer */
  after(followed: Followed, cursor: string | undefined): Promise<LogPage> {
    const key = JSON.stringify([followed, cursor]);
    const asked = this.#asked.get(key);
    if (asked) return asked;
    const page = this.#read(followed, cursor);
    this.#asked.set(key, page);
    setImmediate(() => this.#asked.delete(key));
    return page;
  }

  async #read(followed: Followed, cursor: string | undefined): Promise<LogPage> {
    const { events, seen, nextCursor } = await this.#list({ ...followed, cursor, order: 'asc', limit: pageEvents });
    const text = events.map((event) => frameOf(event, followed)).join('');
    return {
      frames: Buffer.from(text),
      count: events.length,
      seen: seen ?? cursor,
      hasMore: nextCursor !== null,
    };
  }

  #list(request: ListRequest) {
    return callRpc(this.#bus.within(readTimeoutMs), listEvents, request);
  }
}

/** JSON has no line breaks: one line of data is the whole event. */
function frameOf(event: LoggedEvent, { apiVersion }: Followed): string {
  return `id: ${event.id}\nevent: ${event.event}\ndata: ${JSON.stringify(presentEvent(event, apiVersion))}\n\n`;
}
