import type { Readable } from 'node:stream';
import { DomainError, ValidationError } from '@gateway/contracts/errors';
import type { Bus } from '@gateway/messaging';
import { gauge, startLoop, type Logger, type Loop } from '@gateway/runtime';
import type { CallerDirectory } from '#src/accounts/caller-directory.ts';
import { EventStream, type StreamTimes } from '#src/event-streams/event-stream.ts';
import { LogPages, type Followed } from '#src/event-streams/log-pages.ts';
import { LoggedHints, accountOf } from '#src/event-streams/logged-hints.ts';
import { Places } from '#src/event-streams/places.ts';

/** How often the keys of open streams are looked at: a revocation ends its streams within a second. */
const checkIntervalMs = 300;
const checkAtRestIntervalMs = 60_000;
/** Streams at once (api.md 8). */
const streamsOfKeyMax = 5;
const streamsOfAccountMax = 20;
const times = { commentMs: 15_000, lookMs: 5_000 };
/** 30 minutes, and up to 5 more or less, so that what was opened together does not come again together. */
const lifetimeMs = { mean: 1_800_000, spread: 300_000 };

export interface EventStreamsOptions {
  readonly bus: Bus;
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
  readonly #hints: LoggedHints;
  readonly #places = new Places();
  readonly #open = new Set<OpenStream>();
  readonly #checking: Loop;
  readonly #gauge = gauge('gateway_event_streams', 'Event streams that are open', () => this.#open.size);
  #isClosed = false;

  constructor(options: EventStreamsOptions) {
    this.#options = options;
    this.#pages = new LogPages(options.bus);
    this.#hints = new LoggedHints(options.bus, options.logger);
    this.#checking = startLoop({
      name: 'check event streams',
      intervalMs: checkIntervalMs,
      logger: options.logger,
      work: () => this.#check(),
    });
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
      closing.defer(this.#hints.listen(account, () => onLogged()));
      const newest = after === undefined ? await this.#pages.newest(followed) : undefined;
      const first = await this.#pages.after(followed, after ?? newest);
      const stream = new EventStream({
        times: { ...times, lifetimeMs: randomLifetimeMs(), ...this.#options.times },
        ...{ follow, first, newest },
        read: (seen) => this.#pages.after(followed, seen),
        onClosed: () => closing.dispose(),
        onFailed: (error) => this.#options.logger.error({ err: error }, 'an event stream failed'),
      });
      onLogged = () => stream.hint();
      if (early.isHinted) stream.hint();
      const open = { stream, publicKey, address };
      closing.defer(() => this.#open.delete(open));
      this.#open.add(open);
      this.#checking.wake();
      if (this.#isClosed) stream.end();
      return stream;
    } catch (error) {
      closing.dispose();
      throw refusalBy(namedBy, error);
    }
  }

  /** Ends every stream: the gateway stops, and their readers go on at another one. */
  end(): void {
    this.#isClosed = true;
    for (const { stream } of this.#open) stream.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.end();
    this.#gauge[Symbol.dispose]();
    await this.#checking[Symbol.asyncDispose]();
  }

  /** Ends the streams whose key is no longer in force, or not from where it is used. What cannot be known counts as no. */
  async #check(): Promise<number> {
    const byKey = Map.groupBy(this.#open, ({ publicKey }) => publicKey);
    await Promise.all(
      [...byKey].map(async ([publicKey, streams]) => {
        const key = await this.#options.directory.find(publicKey).catch(onlyUnavailable);
        for (const { stream, address } of streams) if (!key?.allowlist.allows(address)) stream.end();
      }),
    );
    return this.#open.size > 0 ? checkIntervalMs : checkAtRestIntervalMs;
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

function randomLifetimeMs(): number {
  return lifetimeMs.mean + (2 * Math.random() - 1) * lifetimeMs.spread;
}
