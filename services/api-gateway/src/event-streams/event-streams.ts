import type { Readable } from 'node:stream';
import { DomainError, ValidationError } from '@gateway/contracts/errors';
import type { Bus } from '@gateway/messaging';
import { gauge, type Logger } from '@gateway/runtime';
import type { CallerDirectory } from '#src/accounts/caller-directory.ts';
import { EventStream, lifetimeMsAt, streamTimes, type StreamTimes } from '#src/event-streams/event-stream.ts';
import { LogPages, type Followed } from '#src/event-streams/log-pages.ts';
import { accountOf, type LoggedHints } from '#src/event-streams/logged-hints.ts';
import { OpenStreams } from '#src/event-streams/open-streams.ts';
import { Places } from '#src/event-streams/places.ts';

/** Streams at once (api.md 8). */
const streamsOfKeyMax = 5;
const streamsOfAccountMax = 20;

export interface EventStreamsOptions {
  readonly bus: Bus;
  readonly hints: LoggedHints;
  readonly directory: CallerDirectory;
  readonly logger: Logger;
  /** Others than the product's, for tests. */
  readonly times?: Partial<StreamTimes>;
}

export interface AskedStream {
  /** With which key, and from where it is used. */
  readonly publicKey: string;
  readonly address: string;
  readonly followed: Followed;
  /** The event after which it begins; without one, it begins now. */
  readonly after: string | undefined;
  /** Where the request has it, as a refusal says. */
  readonly namedBy: string;
  readonly follow: boolean;
}

interface OpenStream {
  readonly stream: EventStream;
  readonly publicKey: string;
  readonly address: string;
}

/** The event streams that are open at this gateway (api.md 8). */
export class EventStreams implements AsyncDisposable {
  readonly #options: EventStreamsOptions;
  readonly #pages: LogPages;
  readonly #places = new Places();
  readonly #open: OpenStreams<OpenStream>;
  readonly #gauge = gauge('gateway_event_streams', 'Event streams that are open', () => this.#open.size);

  constructor(options: EventStreamsOptions) {
    const { bus, logger } = options;
    this.#options = options;
    this.#pages = new LogPages(bus);
    this.#open = new OpenStreams({ name: 'check event streams', logger, check: (open) => this.#check(open) });
  }

  /**
   * Opens a stream. It hears of what is recorded from before its first page is read.
   *
   * @throws DomainError RATE_LIMITED beyond the streams of a key or an account; ValidationError naming `namedBy` when the
   *   event to go on after is not in the log, or no longer
   */
  async open({ publicKey, address, followed, after, namedBy, follow }: AskedStream): Promise<Readable> {
    const account = accountOf(followed);
    const closing = new DisposableStack();
    const limits = [
      { holder: publicKey, max: streamsOfKeyMax, name: 'key' },
      // In its environment: test mode takes nothing from live.
      { holder: account, max: streamsOfAccountMax, name: 'account' },
    ];
    closing.defer(this.#places.take(limits));
    try {
      const early = { isHinted: false };
      let onLogged = (): void => {
        early.isHinted = true;
      };
      closing.defer(this.#options.hints.listen(account, () => onLogged()));
      const newest = after === undefined ? await this.#pages.newest(followed) : undefined;
      const first = await this.#pages.after(followed, after ?? newest);
      const stream = new EventStream({
        times: { ...streamTimes, lifetimeMs: lifetimeMsAt(Math.random()), ...this.#options.times },
        ...{ follow, first, newest },
        read: (seen) => this.#pages.after(followed, seen),
        onClosed: () => closing.dispose(),
        onFailed: (error) => this.#options.logger.error({ err: error }, 'an event stream failed'),
      });
      onLogged = () => stream.hint();
      if (early.isHinted) stream.hint();
      closing.defer(this.#open.add({ stream, publicKey, address }));
      return stream;
    } catch (error) {
      closing.dispose();
      throw refusalBy(namedBy, error);
    }
  }

  /** Ends every stream: the gateway stops, and their readers go on at another one. */
  end(): void {
    this.#open.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#gauge[Symbol.dispose]();
    await this.#open[Symbol.asyncDispose]();
  }

  /** Ends the streams whose key is no longer in force, or not from where it is used. What cannot be known counts as no. */
  async #check(open: ReadonlySet<OpenStream>): Promise<void> {
    const byKey = Map.groupBy(open, ({ publicKey }) => publicKey);
    await Promise.all(
      [...byKey].map(async ([publicKey, streams]) => {
        const key = await this.#options.directory.find(publicKey).catch(onlyUnavailable);
        for (const { stream, address } of streams) if (!key?.allowlist.allows(address)) stream.end();
      }),
    );
  }
}

/** A refusal as the log has it names the cursor of a list. */
function refusalBy(path: string, error: unknown): unknown {
  if (!(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR') return error;
  return new ValidationError(error.details.map(({ message }) => ({ path, message })));
}

function onlyUnavailable(error: unknown): undefined {
  if (error instanceof DomainError && error.code === 'SERVICE_UNAVAILABLE') return undefined;
  throw error;
}
