import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import {
  apiVersionSchema,
  errorBodySchema,
  errorTable,
  pageLimitDefault,
  pageLimitMax,
  type ErrorCode,
} from '@gateway/contracts';
import { webhookDescriptions } from '#src/http/webhook-descriptions.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  schema?: object;
}

const contractParameter: Parameter = {
  name: 'X-Api-Version',
  in: 'header',
  description: "The contract of the call; without it that of the body's form, else that of the key. 1.0 is a beta.",
  schema: { type: 'string', enum: apiVersionSchema.options },
};

interface Operation {
  operationId?: string;
  tags?: string[];
  description?: string;
  summary?: string;
  parameters?: readonly Parameter[];
  readonly requestBody?: object;
  responses?: Record<string, { description?: string; $ref?: string }>;
}

/** An API description as the routes alone make it. */
export interface Description {
  paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components?: object;
}

/** Adds what no route says by itself: names of operations, every error with an example, and the webhooks we send. */
export function completeDescription(description: Description): Description {
  const paths = description.paths ?? {};
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) completeOperation(path, method, operation);
  }
  const components = {
    ...description.components,
    schemas: { Error: jsonSchemaOf(errorBodySchema) },
    responses: Object.fromEntries(errorStatuses().map((status) => [`Error${status}`, errorResponse(status)])),
  };
  return { ...description, components, webhooks: webhookDescriptions() } as Description;
}

function completeOperation(path: string, method: string, operation: Operation): void {
  operation.operationId = operationIdOf(path, method);
  operation.parameters = [...(operation.parameters ?? []), contractParameter];
  operation.tags = [path.startsWith('/v1/test/') ? 'test mode' : (path.split('/')[2] ?? 'api')];
  for (const parameter of operation.parameters ?? []) {
    if (parameter.in !== 'query' || parameter.name !== 'limit') continue;
    // What arrives is text; what callers mean is a number.
    parameter.schema = { type: 'integer', minimum: 1, maximum: pageLimitMax, default: pageLimitDefault };
  }
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    response.description = STATUS_CODES[status] ?? status;
  }
  const refusals = errorsOf(path, method, operation).map(
    (status) => [String(status), { $ref: `#/components/responses/Error${status}` }] as const,
  );
  operation.responses = { ...operation.responses, ...Object.fromEntries(refusals) };
}

/** `GET /v1/webhooks/{id}/deliveries` is `getWebhooksIdDeliveries`. */
function operationIdOf(path: string, method: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '' && word !== 'v1');
  return [method.toLowerCase(), ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
}

/** Statuses an operation may refuse with, by what it takes. */
function errorsOf(path: string, method: string, { requestBody }: Operation): number[] {
  const changes = method !== 'get';
  // A conversion names its quote in the body.
  const namesRecord = path.includes('{') || (changes && path === '/v1/conversions');
  return [
    ...[400, 401],
    ...(path.startsWith('/v1/test/') ? [403] : []),
    ...(namesRecord ? [404] : []),
    ...(changes && namesRecord ? [409] : []),
    ...(requestBody ? [413, 415] : []),
    ...(changes ? [422] : []),
    ...[429, 500, 503],
    ...(method === 'post' && path === '/v1/payouts' ? [504] : []),
  ];
}

function errorStatuses(): number[] {
  return [...new Set(Object.values(errorTable).map(({ status }) => status))];
}

/** One answer per status: what each of its codes means, what to do about it, and an example of each. */
function errorResponse(status: number) {
  const codes = (Object.keys(errorTable) as ErrorCode[]).filter((code) => errorTable[code].status === status);
  const description = codes.map((code) => `\`${code}\`: ${errorTable[code].meaning} ${errorTable[code].action}`);
  const examples = codes.map((code) => [code, { value: exampleOf(code) }] as const);
  const schema = { $ref: '#/components/schemas/Error' };
  return {
    description: description.join('\n\n'),
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
