import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../checks/repository.ts';

/** An operation, as far as a client has to know it to call it. */
export interface DescribedOperation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Its body has a required `external_id`, by which a second call answers with the record of the first. */
  readonly hasExternalId: boolean;
}

/** The description of a contract, without what a client of it does by itself. */
export interface ClientDescription {
  readonly document: object;
  readonly operations: readonly DescribedOperation[];
  /** Names of the component schemas. */
  readonly schemas: readonly string[];
  /** Named enumerations of answers. */
  readonly openEnums: readonly string[];
  /** An example of each event, by its name. */
  readonly events: Readonly<Record<string, object>>;
  /** What the operations refuse with. */
  readonly errorCodes: readonly string[];
}

// Documents are JSON of no type here, and are changed in place.
/* oxlint-disable typescript/no-explicit-any, typescript/no-unsafe-assignment,
   typescript/no-unsafe-member-access, typescript/no-unsafe-argument, typescript/no-unsafe-call,
   typescript/no-unsafe-return */
type Json = any;

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
const schemaPrefix = '#/components/schemas/';
/** Which form an answer has is decided by the method that asks for it. */
const queryOfForms = new Set(['format', 'raw', 'token']);

/** @param contract as in `docs/api/openapi-<contract>.json` */
export async function describedForClients(contract: string): Promise<ClientDescription> {
  const text = await readFile(join(repositoryRoot, `docs/api/openapi-${contract}.json`), 'utf8');
  const document: Json = JSON.parse(text);
  const all = operationsOf(document);
  const operations = all.map(([path, method, operation]): DescribedOperation => ({
    id: operation.operationId,
    method: method.toUpperCase() as DescribedOperation['method'],
    path,
    hasExternalId: hasExternalId(document, operation.requestBody?.content['application/json']?.schema),
  }));
  const errorCodes = new Set([...text.matchAll(/`([A-Z][A-Z_]+)`[:,]? /g)].map(([, code = '']) => code));
  const events = Object.fromEntries(
    Object.entries<Json>(document.webhooks).map(([name, { post }]) => {
      const [example] = Object.values<Json>(post.requestBody.content['application/json'].examples);
      return [name, example.value as object];
    }),
  );
  for (const [, , operation] of all) makeLean(operation);
  const openEnums = separateEnums(document, all);
  delete document.webhooks;
  return {
    document,
    operations,
    schemas: Object.keys(document.components.schemas),
    openEnums,
    events,
    errorCodes: [...errorCodes],
  };
}

function operationsOf(document: Json): [path: string, method: string, operation: Json][] {
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    methods.filter((method) => method in item).map((method): [string, string, Json] => [path, method, item[method]]),
  );
}

function hasExternalId(document: Json, schema: Json): boolean {
  if (schema === undefined) return false;
  if (schema.$ref !== undefined) return hasExternalId(document, document.components.schemas[nameOf(schema.$ref)]);
  const forms: Json[] = schema.anyOf ?? schema.oneOf ?? [];
  if (forms.length > 0) return forms.every((form) => hasExternalId(document, form));
  return schema.required?.includes('external_id') ?? false;
}

/** Leaves out refusals, headers and forms beside JSON: the core of a client handles them for all operations alike. */
function makeLean(operation: Json): void {
  operation.parameters = (operation.parameters ?? []).filter(
    ({ in: place, name }: Json) => place === 'path' || (place === 'query' && !queryOfForms.has(name)),
  );
  operation.responses = Object.fromEntries(
    Object.entries<Json>(operation.responses).filter(([status]) => status.startsWith('2')),
  );
  for (const response of Object.values<Json>(operation.responses)) {
    if (response.content?.['application/json'] === undefined) continue;
    response.content = { 'application/json': response.content['application/json'] };
  }
}

/**
 * A value may be added to an enumeration of answers, but a request takes those that are listed: where both name the same
 * one, requests get a copy of it, `<Name>Param`.
 *
 * @returns the names of those of answers
 */
function separateEnums(document: Json, all: readonly (readonly [string, string, Json])[]): string[] {
  const schemas: Record<string, Json> = document.components.schemas;
  const requests = all.flatMap(([, , { requestBody, parameters }]) => [requestBody, parameters]);
  const answers = [...all.map(([, , { responses }]) => responses), schemas['WebhookEvent']];
  const asked = referencesFrom(schemas, requests);
  const answered = referencesFrom(schemas, answers);
  const isEnum = (name: string) => Array.isArray(schemas[name]?.enum);
  const shared = [...asked].filter((name) => isEnum(name) && answered.has(name));
  const rename = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return;
    const name = typeof value.$ref === 'string' ? nameOf(value.$ref) : '';
    if (shared.includes(name)) value.$ref = `${schemaPrefix}${name}Param`;
    Object.values(value).forEach(rename);
  };
  requests.forEach(rename);
  for (const name of asked) if (!answered.has(name)) rename(schemas[name]);
  for (const name of shared) schemas[`${name}Param`] = structuredClone(schemas[name]);
  return [...answered].filter(isEnum);
}

/** The component schemas that a part of a document names, by way of others too. */
function referencesFrom(schemas: Record<string, Json>, root: Json, found = new Set<string>()): Set<string> {
  if (typeof root !== 'object' || root === null) return found;
  const name = typeof root.$ref === 'string' && root.$ref.startsWith(schemaPrefix) ? nameOf(root.$ref) : '';
  if (name !== '' && !found.has(name)) {
    found.add(name);
    referencesFrom(schemas, schemas[name], found);
  }
  for (const member of Object.values<Json>(root)) referencesFrom(schemas, member, found);
  return found;
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
