import { z } from 'zod';
import type { ErrorCode } from '@gateway/contracts/errors';
import { type IdKind, idSchema } from '@gateway/money';
import { bodyIn, describedForm, isVersioned, type VersionedBody } from '@gateway/public-api';
import { reasonOf, type Refusals, successHeaders } from '#src/description/answers.ts';
import { bodyRefusals, type DescribedApi, type Parameter } from '#src/description/apis.ts';
import { examplesOf } from '#src/description/examples.ts';
import type { DocumentSchemas, JsonSchema } from '#src/description/schemas.ts';
import type { EndpointNotes } from '#src/http/endpoint.ts';

/** A row of an API's table, as far as the description needs it. */
export interface DescribedEndpoint extends EndpointNotes {
  readonly method: string;
  /** `/v1/deposits/:id` */
  readonly path: string;
  readonly body?: z.ZodType | VersionedBody | undefined;
  readonly query?: z.ZodType | undefined;
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly security?: readonly object[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, DescribedMedia>> };
  readonly responses: Readonly<Record<string, DescribedAnswer>>;
}

export interface DescribedMedia {
  readonly schema: JsonSchema;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface DescribedAnswer {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, DescribedMedia>>;
}

interface OperationContext {
  readonly api: DescribedApi;
  readonly schemas: DocumentSchemas;
  readonly refusals: Refusals;
}

/** What one row says, as OpenAPI has it. */
export function describeOperation(endpoint: DescribedEndpoint, context: OperationContext): DescribedOperation {
  const { api, refusals } = context;
  const body = bodyOf(endpoint, context);
  return {
    operationId: endpoint.operation,
    tags: [tagOf(endpoint)],
    summary: endpoint.summary,
    description: endpoint.description,
    parameters: parametersOf(endpoint, context),
    ...(endpoint.security ? { security: endpoint.security } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: {
      ...successesOf(endpoint, context),
      ...refusals.of(sharedRefusals(endpoint, api), endpoint.refusals ?? []),
    },
  };
}

function parametersOf({ path, query }: DescribedEndpoint, { api, schemas }: OperationContext): Parameter[] {
  const named = [...path.matchAll(/:(\w+)/g)].map(([whole, name = '']): Parameter => {
    const before = path.slice(0, path.indexOf(whole)).split('/').at(-2) ?? '';
    return { name, in: 'path', required: true, ...pathParameterOf(before, name, schemas) };
  });
  const asked = query ? schemas.writeMembers(query, 'input') : [];
  const queried = asked.map(({ name, schema: { description, ...schema }, required }): Parameter => {
    return { name, in: 'query', required, ...(description === undefined ? {} : { description }), schema };
  });
  return [...named, ...queried, ...api.headers];
}

/** The records of paths, by the word before their id. */
const recordsOfPaths: Readonly<Record<string, IdKind>> = {
  accounts: 'account',
  adjustments: 'adjustment',
  approvals: 'approval',
  conversions: 'conversion',
  'dead-letters': 'deadLetter',
  reconciliations: 'reconciliation',
  'statement-files': 'statementFile',
  deliveries: 'delivery',
  deposits: 'deposit',
  disputes: 'dispute',
  exports: 'export',
  files: 'file',
  payouts: 'payout',
  'service-tokens': 'serviceToken',
  refunds: 'refund',
  transactions: 'ledgerEntry',
  webhooks: 'webhook',
};

/** Numbers in paths. */
const numbersOfPaths: Readonly<Record<string, string>> = {
  shard: 'The shard of the ledger.',
  level: 'The level of the tile, from 0 on.',
  index: 'Which tile of its level it is, from 0 on.',
};

function pathParameterOf(collection: string, name: string, schemas: DocumentSchemas) {
  const kind = recordsOfPaths[collection];
  const number = numbersOfPaths[name];
  if (number) return { description: `${number} Any other text is 404.`, schema: { type: 'integer', minimum: 0 } };
  if (!kind) return { description: `The ${name} of the record; any other text is 404.`, schema: { type: 'string' } };
  const record = collection.replace(/s$/, '').replaceAll('-', ' ').replace('deliverie', 'delivery');
  return {
    description: `The id of the ${record}; any other text is 404.`,
    schema: schemas.write(idSchema(kind), 'input'),
  };
}

function bodyOf(
  endpoint: DescribedEndpoint,
  { api, schemas }: OperationContext,
): DescribedOperation['requestBody'] | undefined {
  const { body, upload, example, bodyOptional = false } = endpoint;
  if (upload?.form)
    return { required: true, content: { 'multipart/form-data': { schema: schemas.write(formSchema, 'input') } } };
  if (upload) return { required: true, content: { 'application/octet-stream': { schema: fileSchema } } };
  if (!body) return undefined;
  const written = schemas.write(describedForm(isVersioned(body) ? body[api.contract] : body), 'input');
  const examples = example === undefined ? {} : { examples: { example: { value: bodyIn(api.contract, example) } } };
  const media = { schema: bodyOptional ? withoutNull(written) : written, ...examples };
  return { required: !bodyOptional, content: { 'application/json': media } };
}

/** The bytes of a file. */
const fileSchema: JsonSchema = { type: 'string', format: 'binary' };

/** A form with a file. */
const formSchema = z
  .strictObject({ file: z.string().meta({ format: 'binary' }).describe('The content of the file.') })
  .meta({ id: 'FileForm', description: 'A form with one file.' });

/** A body that may be left out is described as what it is when it is there: null is what generators make of no body. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const given = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  return given.length === 1 && given[0] ? given[0] : schema;
}

function successesOf(endpoint: DescribedEndpoint, context: OperationContext): Record<string, DescribedAnswer> {
  const { api } = context;
  const successes = Object.entries(endpoint.answers).map(([status, answer]) => {
    // What is answered in another medium is there; an answer of another status is JSON alone.
    const content = contentOf(status === '200' ? endpoint : {}, answer, context);
    const described = { description: reasonOf(status), headers: successHeaders(api.rateLimited) };
    const links = linksOf(endpoint);
    return [status, { ...described, ...content, ...links }] as const;
  });
  return Object.fromEntries(successes);
}

function contentOf(
  { otherMedia = {} }: Pick<DescribedEndpoint, 'otherMedia'>,
  answer: DescribedEndpoint['answers'][number],
  { api, schemas }: OperationContext,
) {
  const content = Object.fromEntries(Object.entries(otherMedia).map(([type, schema]) => [type, { schema }]));
  if (answer) {
    const schema = schemas.write(isVersioned(answer) ? answer[api.contract] : answer, 'output');
    const json = { schema, examples: examplesOf(schema, schemas, api.contract) };
    return { content: { 'application/json': json, ...content } };
  }
  return Object.keys(content).length === 0 ? {} : { content };
}

/** What can be called next, with ids from the answer. */
function linksOf({ leadsTo = {} }: DescribedEndpoint): object {
  const links = Object.entries(leadsTo).map(([operationId, expression]) => {
    return [operationId, { operationId, parameters: { id: `$response.body#${expression}` } }] as const;
  });
  return links.length === 0 ? {} : { links: Object.fromEntries(links) };
}

/** Codes an operation may refuse with that follow from its API, its method and its path. */
function sharedRefusals({ method, path }: DescribedEndpoint, api: DescribedApi): ErrorCode[] {
  const changes = method !== 'GET';
  return [
    ...api.refusals,
    ...(path.includes(':') ? (['NOT_FOUND'] as const) : []),
    ...(changes ? [...bodyRefusals, ...api.changeRefusals] : []),
  ];
}

/** The group of operations that a row belongs to. */
export function tagOf({ group, path }: DescribedEndpoint): string {
  return group ?? path.split('/')[2] ?? path;
}
