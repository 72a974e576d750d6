import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { monotonicMs } from '../load/load.ts';

/** A reader of `GET /v1/events/stream` that remembers when each record's first event came. */
export class EventReader implements Disposable {
  /** By the record's id, on the machine's monotonic clock. */
  readonly arrivedAtMs = new Map<string, number>();
  readonly #answer: IncomingMessage;
  #rest = '';

  private constructor(answer: IncomingMessage) {
    this.#answer = answer;
    answer.setEncoding('utf8').on('data', (text: string) => this.#take(text));
    answer.on('error', () => undefined);
  }

  /** @throws Error when the stream is refused */
  static async open(baseUrl: string, headers: Readonly<Record<string, string>>): Promise<EventReader> {
    const asking = request(`${baseUrl}/v1/events/stream`, { agent: false, headers }).end();
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    if (answer.statusCode !== 200) throw new Error(`the stream was answered with ${answer.statusCode}`);
    return new EventReader(answer);
  }

  #take(text: string): void {
    const atMs = monotonicMs();
    const frames = `${this.#rest}${text}`.split('\n\n');
    this.#rest = frames.pop() ?? '';
    for (const frame of frames) {
      const [, data] = /^data: (.*)$/m.exec(frame) ?? [];
      if (data === undefined) continue;
      const { data_id: id } = JSON.parse(data) as { readonly data_id: string };
      if (!this.arrivedAtMs.has(id)) this.arrivedAtMs.set(id, atMs);
    }
  }

  [Symbol.dispose](): void {
    this.#answer.destroy();
  }
}
