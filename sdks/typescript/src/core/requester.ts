import { operations, type Operation, type OperationId, type Repeat } from '../generated/operations.ts';
import { ApiPromise, jsonOf, type Answered } from './answer.ts';
import { bytesOf } from './body.ts';
import { ApiError } from '../errors/errors.ts';
import type { Form } from './form.ts';
import { Pages, type PageData } from './page.ts';
import { send, type Options, type Received, type Transport } from './send.ts';

type Queried = Readonly<Record<string, unknown>>;

/** A call of an operation, and what its answer is read as. */
export interface Request<Data> {
  readonly ids?: readonly string[];
  /** As the types of the operation have it. */
  readonly query?: object | undefined;
  readonly body?: unknown;
  /** In place of a body of JSON. */
  readonly form?: Form;
  readonly accept?: string;
  /** In place of the rule of the operation, where what is asked for makes another one of it. */
  readonly repeat?: Repeat;
  /** JSON as it came, unless it is read in another way. */
  readonly read?: (received: Received) => Data;
  /** What stands for a refusal of a repeated call, whose first attempt may have been carried out. */
  readonly recover?: (refusal: ApiError) => Promise<Data | undefined>;
  readonly unread?: boolean;
}

/** Sends calls by the names of their operations. */
export class Requester {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  call<Data>(id: OperationId, request: Request<Data>, options: Options = {}): ApiPromise<Data> {
    const operation: Operation = operations[id];
    const { repeat = operation.repeat } = request;
    return this.send({ ...operation, repeat }, request, options, id);
  }

  /** @param name of the operation, for the error about an id that is missing */
  send<Data>(operation: Operation, request: Request<Data>, options: Options = {}, name = 'request'): ApiPromise<Data> {
    const { recover, read = (received: Received) => jsonOf(received) as Data } = request;
    return new ApiPromise(async (unread): Promise<Answered<Data>> => {
      const path = `${pathOf(operation.path, request.ids ?? [], name)}${queryOf(request.query)}`;
      const { body, form, accept = 'application/json' } = request;
      const unreadFor = unread ? 'caller' : request.unread === true ? 'method' : undefined;
      try {
        const received = await send(this.#transport, { operation, path, body, form, accept, unreadFor }, options);
        return { data: unread ? (undefined as Data) : read(received), received };
      } catch (error) {
        if (recover === undefined || unread || !(error instanceof ApiError) || error.attempts < 2) throw error;
        const data = await recover(error);
        if (data === undefined) throw error;
        return { data, received: receivedBefore(error) };
      }
    });
  }

  /** A call whose answer is of any length, and read while it is walked. */
  pieces(id: OperationId, request: Request<never>, options: Options = {}): ApiPromise<AsyncIterable<Uint8Array>> {
    const timeoutMs = options.timeoutMs ?? this.#transport.timeoutMs;
    const read = ({ response, attempts }: Received) =>
      bytesOf(response, { signal: options.signal, timeoutMs, attempts });
    return this.call<AsyncIterable<Uint8Array>>(id, { ...request, read, unread: true }, options);
  }

  list<Item>(id: OperationId, { ids, query }: Request<never>, options: Options = {}): Pages<Item> {
    const { cursor, ...others } = (query ?? {}) as Queried;
    const read = async (next: string | undefined, of: Options) =>
      this.call<PageData<Item>>(id, { ...(ids ? { ids } : {}), query: { ...others, cursor: next } }, of);
    return new Pages(read, options, typeof cursor === 'string' ? cursor : undefined);
  }
}

/** Of a call whose last attempt was refused because the first was carried out. */
function receivedBefore({ status, headers, attempts }: ApiError): Received {
  const response = {
    status,
    headers: {
      get: (name: string) => headers[name.toLowerCase()] ?? null,
      forEach: (callback: (value: string, name: string) => void) =>
        Object.entries(headers).forEach(([name, value]) => callback(value, name)),
    },
    body: null,
    text: async () => '',
    arrayBuffer: async () => new ArrayBuffer(0),
  };
  return { response, bytes: new Uint8Array(), attempts };
}

function pathOf(path: string, ids: readonly string[], operation: string): string {
  const waiting = [...ids];
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id: unknown = waiting.shift();
    // An empty id would call the list instead of the record; two dots would climb to another path.
    if (typeof id !== 'string' || id === '' || /^\.{1,2}$/.test(id))
      throw new TypeError(
        `${operation} wants the ${name} of ${path}: ${typeof id === 'string' ? `'${id}'` : String(id)} is not an id`,
      );
    return encodeURIComponent(id);
  });
}

function queryOf(query: object | undefined): string {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]: [string, unknown]) =>
    (Array.isArray(value) ? value : [value])
      .filter((each) => each !== undefined && each !== null)
      .map((each) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(each))}`),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}
