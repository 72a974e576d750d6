import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { DeadlineError, type ConnectionTimings } from '#src/http/attempt.ts';
import type { SocketRegistry } from '#src/http/connector.ts';
import type { ResponseHeaders } from '#src/http/headers.ts';

/** Limits of a response's body after its headers; beyond them the stream is cut. The body does not decide success. */
const bodyTimeoutMs = 250;
const bodyBytesMax = 65_536;
/** The beginning of a body that is kept for the log. */
const loggedBodyBytesMax = 16_384;

export interface CallResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: ResponseBody;
  readonly bodyComplete: boolean;
}

/** Facts of the connection a call used; filled as far as the call came. */
export interface CallFacts {
  peerAddress: string | null;
  reusedConnection: boolean;
  timings: ConnectionTimings;
  /** `performance.now()` of the response's headers. */
  headersAtMs: number | undefined;
}

/**
 * One request on one connection, as undici drives it. The deadline covers everything from the start to the headers:
 * undici's own timeouts are per phase or per chunk, so a receiver that drips bytes would never exceed them.
 */
export class Call implements Dispatcher.DispatchHandler {
  readonly facts: CallFacts = {
    peerAddress: null,
    reusedConnection: false,
    timings: { dnsMs: null, connectMs: null, tlsMs: null },
    headersAtMs: undefined,
  };
  readonly #sockets: SocketRegistry;
  readonly #done = Promise.withResolvers<CallResponse>();
  readonly #body = new ResponseBody();
  #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #head: Pick<CallResponse, 'status' | 'headers'> | undefined;
  #over = false;

  constructor(deadlineMs: number, sockets: SocketRegistry) {
    this.#sockets = sockets;
    this.#timer = setTimeout(() => this.#fail(new DeadlineError(this.#controller !== undefined)), deadlineMs);
  }

  /** Resolves with any response, whatever its status; rejects when there was none in time. */
  get response(): Promise<CallResponse> {
    return this.#done.promise;
  }

  #onSocket(socket: Socket): void {
    const known = this.#sockets.factsOf(socket);
    this.facts.peerAddress = socket.remoteAddress ?? null;
    if (!known) return;
    this.facts.reusedConnection = known.calls > 0;
    if (known.calls === 0) this.facts.timings = known.timings;
    known.calls += 1;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#sockets.onNextRequest((socket) => this.#onSocket(socket));
    if (this.#over) controller.abort(new DeadlineError(false));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    if (status < 200) return;
    this.#head = { status, headers };
    this.facts.headersAtMs = performance.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#cut(), bodyTimeoutMs);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#body.add(chunk);
    if (this.#body.receivedBytes > bodyBytesMax) this.#cut();
  }

  onResponseEnd(): void {
    this.#succeed(true);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#head) this.#succeed(false);
    else this.#fail(error);
  }

  #cut(): void {
    this.#succeed(false);
    this.#controller?.abort(new Error('enough of the response was read'));
  }

  #succeed(bodyComplete: boolean): void {
    if (this.#over || !this.#head) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#done.resolve({ ...this.#head, body: this.#body, bodyComplete });
  }

  #fail(error: Error): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#done.reject(error);
    this.#controller?.abort(error);
  }
}

/** The beginning of a response's body, for the log. */
class ResponseBody {
  readonly #chunks: Buffer[] = [];
  #keptBytes = 0;
  #receivedBytes = 0;

  /** Bytes received so far, kept or not. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  add(chunk: Buffer): void {
    this.#receivedBytes += chunk.length;
    const kept = chunk.subarray(0, loggedBodyBytesMax - this.#keptBytes);
    if (kept.length === 0) return;
    // A copy, since the chunk is a window into a larger buffer that would be kept alive with it.
    this.#chunks.push(Buffer.from(kept));
    this.#keptBytes += kept.length;
  }

  /** As text where it is text PostgreSQL can hold, else in base64. */
  read(complete: boolean): { body: string; bodyBase64: boolean; truncated: boolean } {
    const bytes = Buffer.concat(this.#chunks);
    const truncated = !complete || this.#receivedBytes > this.#keptBytes;
    const text = utf8(bytes, truncated);
    if (text === undefined) return { body: bytes.toString('base64'), bodyBase64: true, truncated };
    return { body: text, bodyBase64: false, truncated };
  }
}

/** Undefined when the bytes are not UTF-8 or hold a NUL; a character cut in two at the end is left out. */
function utf8(bytes: Buffer, truncated: boolean): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: truncated });
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
