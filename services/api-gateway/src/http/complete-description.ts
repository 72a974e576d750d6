import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { errorBodySchema, errorTable, type ErrorCode } from '@gateway/contracts/errors';
import { pageLimitDefault, pageLimitMax } from '@gateway/public-api';
import { describedCodes, type DescribedDoor, type Parameter } from '#src/http/described-apis.ts';
import { requestExamples } from '#src/http/request-examples.ts';

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
    description: 'Names the request in our logs: the id sent with it when fit, else a new one.',
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds to wait before the next try.', schema: { type: 'integer', minimum: 1 } },
  RateLimitLimit: { description: 'Most requests the key can make at once.', schema: { type: 'integer' } },
  RateLimitRemaining: { description: 'Requests the key can still make at once.', schema: { type: 'integer' } },
  RateLimitReset: { description: 'Seconds until all of them can be made again.', schema: { type: 'integer' } },
} as const;

const headerRef = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` });
const namedAnswer = { 'X-Request-Id': headerRef('RequestId') };
const meteredAnswer = {
  'RateLimit-Limit': headerRef('RateLimitLimit'),
  'RateLimit-Remaining': headerRef('RateLimitRemaining'),
  'RateLimit-Reset': headerRef('RateLimitReset'),
};

/** Adds what no route says by itself: names of operations, headers, every error with an example, and the webhooks. */
export function completeDescription(description: Description, door: DescribedDoor): Description {
  const paths = description.paths ?? {};
  const statuses = new Set<number>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      for (const status of completeOperation(path, method, operation, door)) statuses.add(status);
    }
  }
  const { RateLimitLimit, RateLimitRemaining, RateLimitReset, ...unmetered } = headers;
  const metered = { RateLimitLimit, RateLimitRemaining, RateLimitReset };
  const components = {
    ...description.components,
    headers: door.rateLimited ? { ...unmetered, ...metered } : unmetered,
    schemas: { Error: jsonSchemaOf(errorBodySchema) },
    responses: Object.fromEntries([...statuses].sort().map((status) => [`Error${status}`, errorResponse(status)])),
  };
  const webhooks = door.webhooks ? { webhooks: door.webhooks } : {};
  return { ...description, components, ...webhooks };
}

/** @returns the statuses the operation may refuse with */
function completeOperation(path: string, method: string, operation: Operation, door: DescribedDoor): number[] {
  operation.operationId = operationIdOf(path, method);
  operation.tags = [door.tagOf(path)];
  operation.parameters = [...(operation.parameters ?? []), ...door.headers];
  for (const parameter of operation.parameters) completeParameter(parameter);
  const example = requestExamples[`${method.toUpperCase()} ${path}`];
  const media = operation.requestBody?.content['application/json'];
  if (media && example !== undefined) media.example = example;
  if (operation.requestBody && isNullable(media?.schema)) operation.requestBody.required = false;
  if (path === '/v1/transactions') Object.assign(operation.responses?.['200']?.content ?? {}, statementContent);
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    response.description = STATUS_CODES[status] ?? status;
    response.headers = { ...namedAnswer, ...(door.rateLimited ? meteredAnswer : {}) };
  }
  const refusals = errorsOf(path, method, operation, door);
  const refs = refusals.map((status) => [String(status), { $ref: `#/components/responses/Error${status}` }] as const);
  operation.responses = { ...operation.responses, ...Object.fromEntries(refs) };
  return refusals;
}

/** `Accept: text/csv` streams the same rows. */
const statementContent = { 'text/csv': { schema: { type: 'string' } } };

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

/** Statuses an operation may refuse with, by what it takes. */
function errorsOf(path: string, method: string, { requestBody }: Operation, door: DescribedDoor): number[] {
  const changes = method !== 'get';
  // A conversion names its quote in the body.
  const namesRecord = path.includes('{') || (changes && path === '/v1/conversions');
  return [
    ...door.refusals,
    ...(path.startsWith('/v1/test/') ? [403] : []),
    ...(namesRecord || path === '/ops/compat/integrations' ? [404] : []),
    ...(changes && namesRecord ? [409] : []),
    // A body nobody asked for is measured all the same.
    ...((requestBody ?? changes) ? [413, 415] : []),
    ...(changes ? [422] : []),
    ...(method === 'post' && ['/v1/payouts', '/v1/conversions'].includes(path) ? [504] : []),
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
