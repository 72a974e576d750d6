import { Ajv2019, type ValidateFunction } from 'ajv/dist/2019.js';
import formats from 'ajv-formats';
import type { Description, JsonSchema, Operation, Parameter } from './description.ts';

/** A call as it went over the wire. */
export interface Exchange {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly request: unknown;
  readonly status: number;
  readonly answer: unknown;
}

interface CheckedOperation {
  readonly operation: Operation;
  readonly name: string;
  readonly pattern: RegExp;
  readonly request: ValidateFunction | null;
  readonly answers: ReadonlyMap<string, ValidateFunction | null>;
  readonly parameters: ReadonlyMap<string, ValidateFunction>;
}

/** Compares what was sent with a description. A remark is a sentence; none is a good sign. */
export class DescriptionCheck {
  readonly #ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: true });
  readonly #operations: readonly CheckedOperation[];
  readonly #notifications: ReadonlyMap<string, ValidateFunction>;

  constructor(description: Description) {
    // The module is CommonJS: its types name the function, its import is the module.
    (formats as unknown as (ajv: Ajv2019) => void)(this.#ajv);
    this.#ajv.addFormat('int32', true);
    this.#ajv.addFormat('int64', true);
    const schemas = mapValues(description.schemas, (schema) => closed(schema, 'branch'));
    const compile = (schema: JsonSchema) => this.#ajv.compile({ schemas, ...closed(schema, 'value') });
    this.#operations = description.operations.map((operation) => ({
      operation,
      name: `${operation.method} ${operation.path}`,
      pattern: patternOf(description.base + operation.path),
      request: operation.request ? compile(operation.request) : null,
      answers: new Map(
        Object.entries(operation.answers).map(([status, schema]) => [status, schema && compile(schema)]),
      ),
      parameters: new Map(operation.parameters.map((parameter) => [parameter.name, compile(parameter.schema)])),
    }));
    this.#notifications = new Map(
      Object.entries(description.notifications).map(([kind, schema]) => [kind, compile(schema)]),
    );
  }

  get operations(): readonly string[] {
    return this.#operations.map(({ name }) => name);
  }

  /** The name of the operation a call is of. */
  operationOf({ method, path }: Pick<Exchange, 'method' | 'path'>): string | undefined {
    return this.#find(method, path)?.name;
  }

  /** What the adapter asked. */
  remarksOnRequest(exchange: Pick<Exchange, 'method' | 'path' | 'request'>): string[] {
    const { method, path, request } = exchange;
    const operation = this.#find(method, path);
    if (!operation) return [`${method} ${plainPath(path)} is no operation`];
    const named = (remark: string) => `${operation.name}: ${remark}`;
    const remarks = [...pathRemarks(operation, path), ...queryRemarks(operation, path)];
    if (operation.request) remarks.push(...bodyRemarks(operation.request, request));
    else if (request !== undefined) remarks.push('no body is described');
    return remarks.map(named);
  }

  /** What was answered. */
  remarksOnAnswer({ method, path, status, answer }: Omit<Exchange, 'request'>): string[] {
    const operation = this.#find(method, path);
    if (!operation) return [`${method} ${plainPath(path)} is no operation`];
    const validate = operation.answers.get(String(status));
    if (validate === undefined) return [`${operation.name}: the status ${status} is not described`];
    const named = (remark: string) => `${operation.name} ${status}: ${remark}`;
    if (validate === null) return answer === undefined ? [] : [named('no body is described')];
    return bodyRemarks(validate, answer).map(named);
  }

  /** What was notified. */
  remarksOnNotification(kind: string, body: unknown): string[] {
    const validate = this.#notifications.get(kind);
    if (!validate) return [`a notification ${kind} is not described`];
    return bodyRemarks(validate, body).map((remark) => `notification ${kind}: ${remark}`);
  }

  #find(method: string, path: string): CheckedOperation | undefined {
    return this.#operations.find(
      ({ operation, pattern }) => operation.method === method && pattern.test(plainPath(path)),
    );
  }
}

function plainPath(path: string): string {
  return path.split('?')[0] ?? '';
}

function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}

function pathRemarks({ pattern, parameters }: CheckedOperation, path: string): string[] {
  const values = pattern.exec(plainPath(path))?.groups ?? {};
  return Object.entries(values).flatMap(([name, value]) => {
    const validate = parameters.get(name);
    return validate ? bodyRemarks(validate, decodeURIComponent(value)).map((remark) => `{${name}} ${remark}`) : [];
  });
}

function queryRemarks({ operation, parameters }: CheckedOperation, path: string): string[] {
  const query = new URLSearchParams(path.split('?')[1] ?? '');
  const described = operation.parameters.filter((parameter) => parameter.in === 'query');
  const remarks = [...query.keys()]
    .filter((name) => !described.some((parameter) => parameter.name === name))
    .map((name) => `the query name ${name} is not described`);
  for (const { name, required, schema } of described) {
    const text = query.get(name);
    if (text === null) {
      if (required) remarks.push(`the query name ${name} is missing`);
      continue;
    }
    const validate = parameters.get(name);
    if (validate) remarks.push(...bodyRemarks(validate, typed(text, schema)).map((remark) => `?${name} ${remark}`));
  }
  return remarks;
}

/** A query has text alone; what is described as something else is written as such. */
function typed(text: string, { type }: Parameter['schema']): unknown {
  if (type === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true';
  return (type === 'integer' || type === 'number') && /^-?\d+$/.test(text) ? Number(text) : text;
}

function bodyRemarks(validate: ValidateFunction, body: unknown): string[] {
  if (body === undefined) return ['the body is missing'];
  if (validate(body)) return [];
  const remarks = (validate.errors ?? []).map(({ instancePath, keyword, message, params }) => {
    const place = instancePath.replace(/\/\d+(?=\/|$)/g, '[]').replaceAll('/', '.') || '.';
    if (keyword === 'unevaluatedProperties')
      return `${place} has ${String(params['unevaluatedProperty'])}, which is not described`;
    if (keyword === 'enum') return `${place} is none of ${(params['allowedValues'] as unknown[]).join(', ')}`;
    return `${place} ${message ?? keyword}`;
  });
  return [...new Set(remarks)];
}

/**
 * The schema with no room for members it does not name. What several schemas say of one value counts together, so it
 * is closed where a value is described (`value`), and not in each of the schemas it is made of (`branch`).
 */
function closed(schema: JsonSchema, as: 'value' | 'branch'): JsonSchema {
  const closedSchema: Record<string, unknown> = { ...schema };
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const branches = schema[keyword] as JsonSchema[] | undefined;
    if (branches) closedSchema[keyword] = branches.map((branch) => closed(branch, 'branch'));
  }
  if (schema['properties']) {
    closedSchema['properties'] = mapValues(schema['properties'] as Record<string, JsonSchema>, (each) =>
      closed(each, 'value'),
    );
  }
  if (schema['items']) closedSchema['items'] = closed(schema['items'] as JsonSchema, 'value');
  return as === 'value' && describesAnObject(schema) ? { ...closedSchema, unevaluatedProperties: false } : closedSchema;
}

function describesAnObject(schema: JsonSchema): boolean {
  return ['$ref', 'properties', 'allOf', 'anyOf', 'oneOf'].some((keyword) => keyword in schema);
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
