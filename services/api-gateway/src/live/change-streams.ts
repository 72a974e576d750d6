import type { Readable } from 'node:stream';
import type { EventsLogged, WebhookEvent } from '@gateway/contracts/webhooks';
import { gauge, type Logger } from '@gateway/runtime';
import { accountOf, everyAccount, type LoggedHints } from '#src/event-streams/logged-hints.ts';
import { OpenStreams } from '#src/event-streams/open-streams.ts';
import { Places } from '#src/event-streams/places.ts';
import { ChangeStream, type ChangeTimes } from '#src/live/change-stream.ts';

const times: ChangeTimes = { frameMs: 1_000, commentMs: 15_000 };
/** Streams at once at one gateway (api.md 8): three pages that are open beside each other. */
const streamsOfPersonMax = 3;

export interface ChangeStreamsOptions {
  readonly hints: LoggedHints;
  readonly logger: Logger;
  /** Others than the product's, for tests. */
  readonly times?: Partial<ChangeTimes>;
}

export interface AskedChanges {
  /** Who reads: a person, or the name of a token. */
  readonly reader: string;
  /** Of which account; of none, of all that are wanted. */
  readonly account?: Pick<EventsLogged, 'environment' | 'accountId'>;
  /** Which hints are about what the reader may see. */
  readonly wants?: (hint: EventsLogged) => boolean;
  readonly shows?: (event: WebhookEvent) => boolean;
  /** Whether the reader still may read; asked again and again while the stream is open. */
  readonly mayRead: () => Promise<boolean>;
}

interface OpenStream {
  readonly stream: ChangeStream;
  readonly mayRead: AskedChanges['mayRead'];
}

/** The streams of changes that pages of the consoles have open at this gateway. */
export class ChangeStreams implements AsyncDisposable {
  readonly #options: ChangeStreamsOptions;
  readonly #places = new Places();
  readonly #open: OpenStreams<OpenStream>;
  readonly #gauge = gauge('gateway_change_streams', 'Streams of changes that are open', () => this.#open.size);

  constructor(options: ChangeStreamsOptions) {
    this.#options = options;
    this.#open = new OpenStreams({ name: 'check streams of changes', logger: options.logger, check: endRevoked });
  }

  /** Opens a stream from now on. @throws DomainError RATE_LIMITED beyond the streams of a person */
  open({ reader, account, wants, shows, mayRead }: AskedChanges): Readable {
    const closing = new DisposableStack();
    closing.defer(this.#places.take([{ holder: reader, max: streamsOfPersonMax, name: 'person' }]));
    const stream = new ChangeStream({ ...times, ...this.#options.times }, () => closing.dispose());
    const onLogged = (hint: EventsLogged) => {
      if (wants?.(hint) === false) return;
      const counts = Object.entries(hint.counts).filter(([name]) => shows?.(name as WebhookEvent) ?? true);
      if (counts.length > 0) stream.add(Object.fromEntries(counts));
    };
    closing.defer(this.#options.hints.listen(account ? accountOf(account) : everyAccount, onLogged));
    closing.defer(this.#open.add({ stream, mayRead }));
    return stream;
  }

  /** Ends every stream: the gateway stops, and the pages come again to another one. */
  end(): void {
    this.#open.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#gauge[Symbol.dispose]();
    await this.#open[Symbol.asyncDispose]();
  }
}

/** Ends the streams of those who may read no more. What cannot be known counts as no. */
async function endRevoked(open: ReadonlySet<OpenStream>): Promise<void> {
  await Promise.all(
    [...open].map(async ({ stream, mayRead }) => {
      if (!(await mayRead().catch(() => false))) stream.end();
    }),
  );
}
