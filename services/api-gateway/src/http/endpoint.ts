import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { z } from 'zod';
import type { ErrorCode } from '@gateway/contracts/errors';
import type { ApiVersion } from '@gateway/contracts/values';
import { faultIn, isVersioned, type FormedBody, type VersionedBody } from '@gateway/public-api';
import type { Bus, TimedBus } from '@gateway/messaging';
import { nameRecords } from '#src/http/request-span.ts';
import { checkEmpty, checkForm } from '#src/http/validate.ts';

/** Time of a request for all that is asked of other services, unless its row says otherwise. */
const timeoutMsDefault = 5_000;
/** A receiver of a stream that takes nothing for this long is given up. */
const stalledReceiverMsDefault = 60_000;

type Schema = z.ZodType | undefined;
/** A body may have a schema per contract; then it comes with the contract it is of. */
type BodySchema = Schema | VersionedBody;
type Parsed<S extends BodySchema> = S extends z.ZodType
  ? z.output<S>
  : S extends VersionedBody
    ? FormedBody<S>
    : undefined;

/** What operations do: the first word of the name of each. */
export const operationVerbs = [
  ...([
    'create',
    'get',
    'list',
    'update',
    'replace',
    'delete',
    'cancel',
    'submit',
    'rotate',
    'test',
    'stream',
  ] as const),
  ...(['redeliver', 'recover', 'replay', 'simulate', 'release', 'issue', 'revoke', 'set', 'run', 'confirm'] as const),
  ...([
    'approve',
    'reject',
    'refuse',
    'resolve',
    'retry',
    'discard',
    'dismiss',
    'skip',
    'freeze',
    'unfreeze',
    'withdraw',
    'pause',
    'enable',
    'search',
    'switch',
    'cover',
    'close',
    'suspend',
    'reinstate',
    'deliver',
  ] as const),
] as const;
type Verb = (typeof operationVerbs)[number];

/** The schema of an answer, in each contract where it has a form in each; null where there is no body. */
export type AnswerSchema = z.ZodType | VersionedBody | null;

/** What the API description says of an endpoint beside what follows from its method, path and schemas. */
export interface EndpointNotes {
  /** `createDeposit`: its name in the API description and in every client that is generated from it, so it never changes. */
  readonly operation: `${Verb}${Capitalize<string>}`;
  /** One line for the API description. */
  readonly summary: string;
  /** Two to five sentences: what happens, which webhooks follow, what to do when it fails. */
  readonly description: string;
  /** Other credentials than its API's; none where it is empty. */
  readonly security?: readonly Readonly<Record<string, string[]>>[];
  /** Whether a call without a body is one. */
  readonly bodyOptional?: boolean;
  /** Schemas of the successful answers by status. */
  readonly answers: Readonly<Record<number, AnswerSchema>>;
  /** The group of operations it belongs to; without one, the second member of its path. */
  readonly group?: string;
  /** An example of its body, in contract 0.1. A test checks that each body has one, and that it fits its schema. */
  readonly example?: unknown;
  /** Its body is a file of any media type, or a form with one, which its handler reads as it arrives. */
  readonly upload?: { readonly bytesMax: number; readonly form?: true };
  /** Codes that it alone refuses with: those of states and limits, and what its API, method and path do not imply. */
  readonly refusals?: readonly ErrorCode[];
  /** Operations that can follow, each with the place of the id in the answer: `{ getDeposit: '/id' }`. */
  readonly leadsTo?: Readonly<Record<string, `/${string}`>>;
  /** JSON schemas of its answer in other media types than JSON, by media type. */
  readonly otherMedia?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** What an endpoint answers; the body is sent as JSON, or as it comes when it is a stream or bytes. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** How many records of a list it holds; of a stream, so far. */
  readonly written?: { readonly records: number };
}

/** Whether it is a list as a file, in which nothing is masked: a stream of events is none. */
export function isListFile({ body, written }: Answer): boolean {
  return body instanceof Readable && written !== undefined;
}

/** The parts of a request every endpoint gets, checked against its schemas. */
export interface Call {
  readonly params: Readonly<Record<string, string>>;
  readonly requestId: string;
  /** The body of an endpoint with `upload`, as it arrives; undefined where there is none. */
  readonly upload?: Readable | undefined;
  /** The media type of `upload`, as it was sent. */
  readonly uploadType?: string | undefined;
}

/** One operation of an API: what it takes, what it answers, and its handler. */
export interface Endpoint<
  Who extends Call,
  Services,
  Body extends BodySchema = undefined,
  Query extends Schema = undefined,
> extends EndpointNotes {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `/v1/deposits/:id` */
  readonly path: string;
  readonly body?: Body;
  readonly query?: Query;
  /** Time for all the questions it asks other services together; 5 s by default. */
  readonly timeoutMs?: number;
  readonly handle: (call: Who & { body: Parsed<Body>; query: Parsed<Query> }, services: Services) => Promise<Answer>;
}

/** A row of an API's table, whatever its schemas. */
export interface EndpointRow<Services> extends Omit<Endpoint<Call, Services>, 'handle' | 'body' | 'query'> {
  readonly body?: BodySchema;
  readonly query?: Schema;
  readonly handle: (call: never, services: Services) => Promise<Answer>;
}

/** What an API knows about the caller; without a contract of its own it is answered in the earliest. */
interface KnownCaller {
  readonly apiVersion?: ApiVersion | undefined;
}

type Upload = NonNullable<EndpointNotes['upload']>;

interface RegisterOptions<Services, Row> {
  readonly caller: (request: FastifyRequest) => KnownCaller & object;
  /** Asked when only the head of the request has been read; throws when the caller may not use the operation. */
  readonly authorize?: (request: FastifyRequest, row: Row) => void;
  /** A receiver of a stream that takes nothing for so long is given up; 60 s by default. */
  readonly stalledReceiverMs?: number;
  /** Asked last, when all else is in order; throws when too much is under way. `ended` is called once it is answered. */
  readonly admit?: (request: FastifyRequest, row: Row) => { readonly ended: () => void };
  readonly services: ApiServices<Services>;
}

/** What the handlers of an API use: each request gets a bus with a time limit of its own. */
export type ApiServices<Services> = Omit<Services, 'bus'> & { readonly bus: Bus };

/**
 * Puts the rows of a table on a server; `caller` adds what the API knows about the caller. The time of a request begins when
 * it has been read, so that a slow sender does not shorten it.
 */
export function registerEndpoints<
  Services extends { readonly bus: TimedBus },
  Row extends EndpointRow<Services> = EndpointRow<Services>,
>(
  app: FastifyInstance,
  rows: readonly Row[],
  {
    caller: callerOf,
    services,
    authorize,
    admit,
    stalledReceiverMs = stalledReceiverMsDefault,
  }: RegisterOptions<Services, Row>,
): void {
  for (const row of rows) {
    // A body with a form per contract is checked once it is known in which contract it is to be read.
    const versioned = row.body && isVersioned(row.body) ? row.body : undefined;
    const route: RouteOptions = {
      method: row.method,
      url: row.path,
      ...(authorize ? { onRequest: async (request: FastifyRequest) => authorize(request, row) } : {}),
      schema: {
        ...(row.body && !versioned ? { body: row.body } : {}),
        ...(row.query ? { querystring: row.query } : {}),
      },
      handler: async (request, reply) => {
        const { params, query, id: requestId } = request;
        if (!row.query) checkEmpty('querystring', query);
        if (!row.body && !row.upload) checkEmpty('body', request.body);
        const caller = callerOf(request);
        const version = caller.apiVersion ?? '0.1';
        const body = versioned ? checkForm(versioned, request.body, version) : request.body;
        const upload = row.upload ? (request.body as Readable | undefined) : undefined;
        const uploaded = row.upload ? { upload, uploadType: request.headers['content-type'] } : {};
        const call = { ...caller, params, body: row.upload ? undefined : body, query, requestId, ...uploaded };
        const timed = { ...services, bus: services.bus.within(row.timeoutMs ?? timeoutMsDefault) } as Services;
        // How long a file takes is up to its sender, and says nothing about how much there is to do.
        const admitted = row.upload ? undefined : admit?.(request, row);
        let answer: Answer;
        try {
          answer = await row.handle(call as never, timed);
        } catch (error) {
          // What is still to come of a file is of no interest: the connection ends with the answer.
          if (upload?.readableEnded === false) void reply.header('connection', 'close');
          throw faultIn(version, error);
        } finally {
          admitted?.ended();
        }
        const shown = answer.body instanceof Uint8Array ? undefined : answer.body;
        nameRecords(request.raw, `${row.method} ${row.path}`, params, shown);
        if (answer.headers) void reply.headers(answer.headers);
        void reply.code(answer.status);
        if (!(answer.body instanceof Readable)) return reply.send(answer.body);
        if (request.method === 'HEAD') {
          // It would be read to its end, which it may not have.
          answer.body.destroy();
          return reply.send();
        }
        hangUpWhenStalled(reply.raw, stalledReceiverMs);
        return reply.send(answer.body);
      },
    };
    if (row.upload) registerUpload(app, route, row.upload);
    else app.route(route);
  }
}

/** Its body is passed on as it arrives. */
function registerUpload(app: FastifyInstance, route: RouteOptions, { bytesMax, form }: Upload): void {
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(form ? 'multipart/form-data' : '*', (_request, payload, parsed) =>
      parsed(null, payload),
    );
    scope.route({ ...route, bodyLimit: bytesMax });
    done();
  });
}

function hangUpWhenStalled(response: ServerResponse, stalledReceiverMs: number): void {
  response.setTimeout(stalledReceiverMs, () => response.destroy());
}
