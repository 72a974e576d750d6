import { setTimeout as pause } from 'node:timers/promises';
import {
  ApiError,
  ConnectionError,
  TimeoutError,
  type Answer,
  type Gateway,
  type StreamParams,
  type Version,
} from '@gateway/sdk';
import type { Session } from '../calls/session.ts';
import type { LastEvent } from './place.ts';

/** An event as the log has it. */
export type LoggedEvent = Answer<Version, 'getEvent'>;
type EventFilter = NonNullable<StreamParams['events']>;

export interface Followed {
  readonly gateway: Gateway<Version>;
  readonly after: LastEvent;
  /** Names, or kinds such as `payout.*`; none is every event. */
  readonly events: readonly string[];
  readonly signal: AbortSignal;
  /** Hears how far the log was looked at where no event says it. */
  readonly onPlace?: (id: string) => void;
}

const emptyLogPollMs = 1_000;
const backoffFirstMs = 500;
const backoffMaxMs = 10_000;

/** A client that reports each outage once, and its end. */
export function watchedGateway(session: Session): Gateway<Version> {
  const { output } = session;
  let isOut = false;
  return session.gateway(session.contract, ({ status }) => {
    const isOutage = status === null || status >= 500 || status === 429;
    if (isOutage === isOut || session.signal.aborted) return;
    isOut = isOutage;
    const why = status === null ? 'no connection' : `it answers with ${status}`;
    output.talk(isOut ? `${session.connection.base_url}: ${why}; waiting` : 'the gateway is there again');
  });
}

/**
 * The events after a place, in the order of the log, for as long as the signal lets it: over the end of a stream, a lost
 * connection, a sleep of this machine and a restart of the gateway. Each event once, unless its consumer asks again.
 *
 * @throws ApiError when the gateway refuses it for good: the key, or a place that the log no longer keeps
 */
export async function* followed(asked: Followed): AsyncGenerator<LoggedEvent, void, undefined> {
  const { gateway, events, signal } = asked;
  let last = asked.after;
  for (let failures = 0; !signal.aborted;) {
    try {
      if (last === null) {
        const first = await firstEvent(asked);
        if (matches(first.event, events)) yield first;
        last = first.id;
      }
      const filter = events.length === 0 ? {} : { events: [...events] as EventFilter };
      const onPlace = (id: string) => {
        last = id;
        asked.onPlace?.(id);
      };
      for await (const event of gateway.events.stream({ after: last, ...filter, onPlace, signal })) {
        failures = 0;
        yield event;
        last = event.id;
      }
    } catch (error) {
      if (isEnded(signal)) return;
      if (!mayPass(error)) throw error;
      failures += 1;
    }
    await pause(backoffMs(failures), undefined, { signal }).catch(() => undefined);
  }
}

/** Reads once the gateway can be reached. @throws whatever waiting would not help, and the reason of the signal */
async function whenReached<T>(signal: AbortSignal, read: () => PromiseLike<T>): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await read();
    } catch (error) {
      if (isEnded(signal) || !mayPass(error)) throw error;
    }
    await pause(backoffMs(failures), undefined, { signal });
  }
}

function backoffMs(failures: number): number {
  return Math.min(backoffFirstMs * 2 ** Math.min(failures, 8), backoffMaxMs);
}

/** A stream has to begin after an event: a log without one is read until it has its first. */
async function firstEvent({ gateway, signal }: Followed): Promise<LoggedEvent> {
  for (;;) {
    const { data } = await gateway.events.list({ order: 'asc', limit: 1 }, { signal });
    const [first] = data;
    if (first !== undefined) return first;
    await pause(emptyLogPollMs, undefined, { signal });
  }
}

/** By a function, since the compiler takes the signal for unchanged after an await. */
function isEnded({ aborted }: AbortSignal): boolean {
  return aborted;
}

function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429 || error.status === 408;
  return error instanceof ConnectionError || error instanceof TimeoutError;
}

function matches(name: string, filter: readonly string[]): boolean {
  return (
    filter.length === 0 ||
    filter.some((each) => each === '*' || each === name || (each.endsWith('.*') && name.startsWith(each.slice(0, -1))))
  );
}

/** The last event before a moment: where a reader from that moment on begins. */
export async function placeBefore(
  gateway: Gateway<Version>,
  at: Date | undefined,
  signal: AbortSignal,
): Promise<LastEvent> {
  const query = { limit: 1, ...(at === undefined ? {} : { to: at }) };
  const { data } = await whenReached(signal, () => gateway.events.list(query, { signal }));
  return data[0]?.id ?? null;
}
