import diagnosticsChannel from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { DeadlineError } from '#src/http/attempt-error.ts';
import type { ConnectionTimings } from '#src/http/attempt.ts';
import { factsOf } from '#src/http/connector.ts';
import { ResponseBody } from '#src/http/response-body.ts';

/** After the headers, a body gets this long and this far; then the stream is cut. It does not decide success. */
const bodyTimeoutMs = 250;
const bodyBytesMax = 65_536;

export interface CallResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: ResponseBody;
  readonly bodyComplete: boolean;
}

/** What a call was like on the wire; filled as far as it came. */
export interface CallFacts {
  peerAddress: string | null;
  reusedConnection: boolean;
  timings: ConnectionTimings;
  /** `performance.now()` of the response's headers. */
  headersAtMs: number | undefined;
}

/**
 * One request on one connection, as undici drives it. The deadline covers everything from the start to the headers:
 * undici's own timeouts are per phase or per chunk, and a receiver that drips would never meet them.
 */
export class Call implements Dispatcher.DispatchHandler {
  readonly facts: CallFacts = {
    peerAddress: null,
    reusedConnection: false,
    timings: { dnsMs: null, connectMs: null, tlsMs: null },
    headersAtMs: undefined,
  };
  readonly #done = Promise.withResolvers<CallResponse>();
  readonly #body = new ResponseBody();
  #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #head: Pick<CallResponse, 'status' | 'headers'> | undefined;
  #over = false;

  constructor(deadlineMs: number) {
    this.#timer = setTimeout(() => this.#fail(new DeadlineError(this.#controller !== undefined)), deadlineMs);
  }

  /** Resolves with any response, whatever its status; rejects when there was none in time. */
  get response(): Promise<CallResponse> {
    return this.#done.promise;
  }

  #onSocket(socket: Socket): void {
    const known = factsOf(socket);
    this.facts.peerAddress = socket.remoteAddress ?? null;
    if (!known) return;
    this.facts.reusedConnection = known.calls > 0;
    if (known.calls === 0) this.facts.timings = known.timings;
    known.calls += 1;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    starting = (socket) => this.#onSocket(socket);
    if (this.#over) controller.abort(new DeadlineError(false));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: CallResponse['headers']): void {
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

/**
 * undici tells a request that it starts, and right after, in the same turn, a channel which socket carries it. The
 * handler is not told the socket any other way.
 */
let starting: ((socket: Socket) => void) | undefined;
diagnosticsChannel.subscribe('undici:client:sendHeaders', (message) => {
  starting?.((message as { socket: Socket }).socket);
  starting = undefined;
});
