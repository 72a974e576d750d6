import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { errorBodySchema, errorTable, statusOf, type ErrorCode } from '@gateway/contracts/errors';
import { pageLimitDefault, pageLimitMax } from '@gateway/public-api';
import { describedCodes, type DescribedApi, type Parameter } from '#src/http/described-apis.ts';
import type { EndpointNotes } from '#src/http/endpoint.ts';

interface Operation {
  operationId?: string;
  tags?: string[];
  description?: string;
  summary?: string;
  parameters?: readonly Parameter[];
  readonly requestBody?: {
    required?: boolean;
    readonly content: Record<string, { schema?: object; example?: unknown }>;
  };
  responses?: Record<string, { description?: string; headers?: object; content?: object; $ref?: string }>;
}

/** An API description as the routes alone make it. */
export interface Description {
  paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components?: object;
}

const headers = {
  RequestId: {
    description:
      'Identifies the request in our logs: the id that was sent with it, if it is valid, otherwise a new one.',
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer', minimum: 1 } },
  RateLimitLimit: {
    description: 'The burst of the key: the largest number of requests it can make at once.',
    schema: { type: 'integer' },
  },
  RateLimitRemaining: {
    description: 'The number of requests the key can still make at once.',
    schema: { type: 'integer' },
  },
  RateLimitReset: { description: 'Seconds until the whole burst is available again.', schema: { type: 'integer' } },
} as const;

const headerRef = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` });
const namedAnswer = { 'X-Request-Id': headerRef('RequestId') };
const meteredAnswer = {
  'RateLimit-Limit': headerRef('RateLimitLimit'),
  'RateLimit-Remaining': headerRef('RateLimitRemaining'),
  'RateLimit-Reset': headerRef('RateLimitReset'),
};

/** A row of an API's table, as far as the description needs it. */
export interface DescribedEndpoint extends EndpointNotes {
  readonly method: string;
  readonly path: string;
}

/**
 * Adds what routes do not say by themselves: names of operations, headers, every error with an example, the webhooks, and
 * the notes of each endpoint's row.
 */
export function completeDescription(
  description: Description,
  api: DescribedApi,
  endpoints: readonly DescribedEndpoint[],
): Description {
  const notesOf = new Map(endpoints.map((endpoint) => [operationOf(endpoint), endpoint]));
  const paths = description.paths ?? {};
  const statuses = new Set<number>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const notes = notesOf.get(`${method.toUpperCase()} ${path}`) ?? {};
      for (const status of completeOperation(path, method, operation, { api, notes })) statuses.add(status);
    }
  }
  const { RateLimitLimit, RateLimitRemaining, RateLimitReset, ...unmetered } = headers;
  const metered = { RateLimitLimit, RateLimitRemaining, RateLimitReset };
  const components = {
    ...description.components,
    headers: api.rateLimited ? { ...unmetered, ...metered } : unmetered,
    schemas: { Error: jsonSchemaOf(errorBodySchema) },
    responses: Object.fromEntries([...statuses].sort().map((status) => [`Error${status}`, errorResponse(status)])),
  };
  const webhooks = api.webhooks ? { webhooks: api.webhooks } : {};
  return { ...description, components, ...webhooks };
}

/** `POST /v1/deposits/{id}/cancel`, as a description names the path. */
function operationOf({ method, path }: DescribedEndpoint): string {
  return `${method} ${path.replace(/:(\w+)/g, '{$1}')}`;
}

interface OperationContext {
  readonly api: DescribedApi;
  readonly notes: EndpointNotes;
}

/** @returns the statuses the operation may refuse with */
function completeOperation(path: string, method: string, operation: Operation, context: OperationContext): number[] {
  const { api, notes } = context;
  operation.operationId = operationIdOf(path, method);
  operation.tags = [notes.group ?? path.split('/')[2] ?? 'api'];
  operation.parameters = [...(operation.parameters ?? []), ...api.headers];
  for (const parameter of operation.parameters) completeParameter(parameter);
  const media = operation.requestBody?.content['application/json'];
  if (media && notes.example !== undefined) media.example = notes.example;
  if (operation.requestBody && isNullable(media?.schema)) operation.requestBody.required = false;
  const otherMedia = Object.entries(notes.otherMedia ?? {}).map(([type, schema]) => [type, { schema }] as const);
  Object.assign(operation.responses?.['200']?.content ?? {}, Object.fromEntries(otherMedia));
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    response.description = STATUS_CODES[status] ?? status;
    response.headers = { ...namedAnswer, ...(api.rateLimited ? meteredAnswer : {}) };
  }
  const refusals = errorsOf(path, method, operation, context);
  const refs = refusals.map((status) => [String(status), { $ref: `#/components/responses/Error${status}` }] as const);
  operation.responses = { ...operation.responses, ...Object.fromEntries(refs) };
  return refusals;
}

/** A body that may be null may be left out. */
function isNullable(schema: { anyOf?: readonly { type?: string }[] } | undefined): boolean {
  return schema?.anyOf?.some(({ type }) => type === 'null') ?? false;
}

function completeParameter(parameter: Parameter): void {
  if (parameter.in === 'path') parameter.description ??= 'Names the record; any other text is 404';
  if (parameter.in !== 'query') return;
  if (parameter.name === 'cursor') parameter.description ??= 'Id of the last record received';
  // What arrives is text; what callers mean is a number.
  if (parameter.name === 'limit') {
    parameter.schema = { type: 'integer', minimum: 1, maximum: pageLimitMax, default: pageLimitDefault };
  }
}

/** `GET /v1/webhooks/{id}/deliveries` is `getWebhooksIdDeliveries`. */
function operationIdOf(path: string, method: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => !['', 'v1', 'ops'].includes(word));
  return [method.toLowerCase(), ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
}

/** Statuses an operation may refuse with: those of its API, those that its method, path and body imply, and its own. */
function errorsOf(
  path: string,
  method: string,
  { requestBody }: Operation,
  { api, notes }: OperationContext,
): number[] {
  const changes = method !== 'get';
  const namesRecord = path.includes('{');
  return [
    ...api.refusals,
    ...(namesRecord ? [404] : []),
    ...(changes && namesRecord ? [409] : []),
    // A body that an operation does not take is limited in size and type all the same.
    ...((requestBody ?? changes) ? [413, 415] : []),
    ...(changes ? [422] : []),
    ...(notes.refusals ?? []).map(statusOf),
  ];
}

/** One answer per status: what each of its codes means, what to do about it, and an example of each. */
function errorResponse(status: number) {
  const codes = describedCodes.filter((code) => errorTable[code].status === status);
  const description = codes.map((code) => `\`${code}\`: ${errorTable[code].meaning} ${errorTable[code].action}`);
  const examples = codes.map((code) => [code, { value: exampleOf(code) }] as const);
  const schema = { $ref: '#/components/schemas/Error' };
  return {
    description: description.join('\n\n'),
    headers: {
      ...namedAnswer,
      ...(status === 429 || status === 503 ? { 'Retry-After': headerRef('RetryAfter') } : {}),
    },
    content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
  };
}

function exampleOf(code: ErrorCode) {
  const error = { code, message: errorTable[code].meaning, request_id: 'req_01k9z3m4v6t8x0a2c4e6g8jk01' };
  if (code === 'PROVIDER_TIMEOUT') return { error: { ...error, payout_id: 'pyt_01k9z3m4v6t8x0a2c4e6g8jk01' } };
  if (code !== 'VALIDATION_ERROR') return { error };
  return { error: { ...error, details: [{ path: 'amount_cents', message: 'must be a positive integer' }] } };
}

function jsonSchemaOf(schema: z.ZodType): object {
  return z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'output' });
}
