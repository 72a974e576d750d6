import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { ValidationError } from '@gateway/contracts/errors';
import type { RequestOf } from '@gateway/contracts/messages';
import { eventsLoggedSignal, listEvents, type LoggedEvent } from '@gateway/contracts/webhooks';
import { newId } from '@gateway/money';
import { answering, type Bus, type RpcRoute } from '@gateway/messaging';
import type { KeyPair } from './start-gateway.ts';

interface LogOwner {
  readonly environment: 'live' | 'test';
  readonly accountId: string;
}

/** The event log as the webhooks service answers about it. */
export class KeptLog {
  readonly #events: (LoggedEvent & LogOwner)[] = [];
  /** How often pages were asked for. */
  reads = 0;
  /** Members of `data`, to make events large. */
  data: Record<string, unknown> = {};
  /** Runs before each answer. */
  beforeAnswer: (request: RequestOf<typeof listEvents>) => Promise<void> | void = () => undefined;

  readonly route: RpcRoute = answering(listEvents, async (request) => {
    await this.beforeAnswer(request);
    this.reads += 1;
    const log = this.#of(request);
    if (request.order === 'desc') return { events: log.slice(-1), nextCursor: null, seen: log.at(-1)?.id ?? null };
    const place = request.cursor === undefined ? -1 : log.findIndex(({ id }) => id === request.cursor);
    if (request.cursor !== undefined && place < 0)
      throw new ValidationError([{ path: 'cursor', message: 'is not the id of an event of this log' }]);
    const after = log.slice(place + 1);
    const page = after.slice(0, request.limit);
    const seen = page.at(-1)?.id ?? null;
    const { events: names, dataId: of } = request;
    const events = page.filter(({ event, dataId }) => (names?.includes(event) ?? true) && dataId === (of ?? dataId));
    return { events, nextCursor: after.length > page.length ? seen : null, seen };
  });

  #of({ environment, accountId }: LogOwner) {
    return this.#events.filter((event) => event.environment === environment && event.accountId === accountId);
  }

  /** @param bus where the hint is published; without it, none is */
  record(
    owner: LogOwner,
    count = 1,
    bus?: Bus,
    { event = 'deposit.pending', dataId = 'dep_1' }: Partial<Pick<LoggedEvent, 'event' | 'dataId'>> = {},
  ): string[] {
    const ids = Array.from({ length: count }, () => newId('event'));
    for (const id of ids) this.#events.push({ ...owner, id, event, createdAt: 1_790_000_000, dataId, data: this.data });
    bus?.connection.publish(eventsLoggedSignal, JSON.stringify({ ...owner, id: ids.at(-1) }));
    return ids;
  }

  /** The oldest events of an account are no longer kept. */
  drop(owner: LogOwner): void {
    for (const event of this.#of(owner)) this.#events.splice(this.#events.indexOf(event), 1);
  }
}

/** A stream as its reader sees it. */
export class StreamReader implements Disposable {
  readonly answer: IncomingMessage;
  text = '';
  /** Whether it was ended as HTTP ends answers; undefined while it lasts. */
  ended: boolean | undefined;

  constructor(answer: IncomingMessage) {
    this.answer = answer;
    answer.on('error', () => undefined);
    answer.once('close', () => (this.ended = answer.complete));
  }

  static async open(baseUrl: string, key: KeyPair, path = '', headers: Record<string, string> = {}) {
    const keys = { 'x-api-key': key.public_key, 'x-api-secret': key.secret_key };
    return await StreamReader.at(`${baseUrl}/v1/events/stream${path}`, { ...keys, ...headers });
  }

  static async at(url: string, headers: Record<string, string>) {
    const request = httpRequest(url, { agent: false, headers });
    request.end();
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    return new StreamReader(answer);
  }

  /** Begins to read. */
  read(): this {
    this.answer.setEncoding('utf8').on('data', (text: string) => (this.text += text));
    return this;
  }

  /** Reads so many characters and hangs up, or all there is until it is cut. @returns the ids of the frames that came whole */
  async readUntil(charactersMax: number): Promise<string[]> {
    try {
      for await (const text of this.answer.setEncoding('utf8')) {
        this.text += text as string;
        if (this.text.length >= charactersMax) break;
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    }
    const whole = this.text.slice(0, charactersMax).split('\n\n').slice(0, -1);
    this.text = whole.map((frame) => `${frame}\n\n`).join('');
    return this.ids;
  }

  get status(): number | undefined {
    return this.answer.statusCode;
  }

  /** Of the events it has shown. */
  get ids(): string[] {
    return [...this.text.matchAll(/^id: (.*)\nevent: /gm)].map(([, id = '']) => id);
  }

  [Symbol.dispose](): void {
    this.answer.destroy();
  }
}
