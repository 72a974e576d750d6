/** What a stream of events brings: an event, or a comment. */
export interface StreamItem {
  /** The id of the last event, as far as it is known. */
  readonly id: string | undefined;
  /** JSON, unless it is a comment. */
  readonly data?: string;
  readonly comment?: string;
}

/**
 * Reads `text/event-stream` as it comes, in pieces that may end anywhere (HTML, section 9.2.6). An id counts from the empty
 * line that ends its event: half an event has not been received.
 */
export class SseParser {
  /** Milliseconds before a reader comes again, as the stream says. */
  retryMs: number | undefined;
  readonly #decoder = new TextDecoder();
  #rest = '';
  #id: string | undefined;
  #idOfEvent: string | undefined;
  #data: string[] = [];

  /** @param id of the event that came last, on an earlier connection */
  constructor(id: string | undefined) {
    this.#id = id;
    this.#idOfEvent = id;
  }

  /** The id to go on after. */
  get id(): string | undefined {
    return this.#id;
  }

  read(bytes: Uint8Array): StreamItem[] {
    const text = this.#rest + this.#decoder.decode(bytes, { stream: true });
    // Of a carriage return at the end, the line feed may be yet to come.
    const lines = text.split(/\r\n|\n|\r(?=[\s\S])/);
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#readLine(line) ?? []);
  }

  #readLine(line: string): StreamItem | undefined {
    if (line === '') return this.#endEvent();
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === '') return { id: this.#id, comment: value };
    if (name === 'data') this.#data.push(value);
    if (name === 'id' && !value.includes('\0')) this.#idOfEvent = value;
    if (name === 'retry' && /^\d{1,9}$/.test(value)) this.retryMs = Number(value);
    return undefined;
  }

  #endEvent(): StreamItem | undefined {
    this.#id = this.#idOfEvent;
    const data = this.#data;
    this.#data = [];
    return data.length === 0 ? undefined : { id: this.#id, data: data.join('\n') };
  }
}
