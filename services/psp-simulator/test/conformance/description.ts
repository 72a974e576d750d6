/** As much of a JSON schema as descriptions are written in. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly in: 'path' | 'query';
  readonly name: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

export interface Operation {
  readonly method: string;
  /** `/cob/{txid}`, below the description's base. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly request?: JsonSchema;
  /** By status; null where the answer has no body. */
  readonly answers: Readonly<Record<string, JsonSchema | null>>;
}

/** Where a description contradicts itself, and what was made of it. */
export interface Repair {
  readonly where: string;
  readonly fault: string;
  readonly repaired: string;
  /** What is right since then, and was not before. */
  readonly allows?: Sample;
}

/** A message, and where it was sent: an answer with its status, a request without one, or a notification by its kind. */
export type Sample =
  | { readonly call: string; readonly status?: number; readonly body: unknown }
  | { readonly kind: string; readonly body: unknown };

/** What one interface has: whatever is not in it may not be sent, answered or notified. */
export interface Description {
  readonly name: string;
  /** What stands before the paths. */
  readonly base: string;
  readonly operations: readonly Operation[];
  /** By what names the kind in a body. */
  readonly notifications: Readonly<Record<string, JsonSchema>>;
  /** What `$ref: '#/schemas/…'` names. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly repairs: readonly Repair[];
}

/**
 * Short form of what a body has: `text`, `integer`, `number`, `boolean`, `instant`, `anything`, `=A|B` for one of some words;
 * `[…]` for a list; a name ends in `!` where the member has to be there, in `?` where it may be null.
 */
export type Facts = string | { readonly [name: string]: Facts } | readonly [Facts];

const words: Readonly<Record<string, JsonSchema>> = {
  text: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  instant: { type: 'string', format: 'date-time' },
  address: { type: 'string', format: 'uri' },
  anything: {},
};

export function schemaOf(facts: Facts): JsonSchema {
  if (typeof facts === 'string') return schemaOfText(facts);
  if (isList(facts)) return { type: 'array', items: schemaOf(facts[0]) };
  const members = Object.entries(facts).map(([written, fact]) => ({ ...memberOf(written), fact }));
  const properties = Object.fromEntries(
    members.map(({ name, isNullable, fact }) => [name, isNullable ? orNull(schemaOf(fact)) : schemaOf(fact)]),
  );
  const required = members.flatMap(({ name, isRequired }) => (isRequired ? [name] : []));
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

function isList(facts: Facts): facts is readonly [Facts] {
  return Array.isArray(facts);
}

function memberOf(written: string) {
  const [, name = '', marks = ''] = /^(.*?)([!?]*)$/.exec(written) ?? [];
  return { name, isRequired: marks.includes('!'), isNullable: marks.includes('?') };
}

function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] };
}

function schemaOfText(text: string): JsonSchema {
  const branches = text.split(' or ').map((word) => {
    if (word.startsWith('=')) return { enum: word.slice(1).split('|') };
    const schema = words[word];
    if (!schema) throw new Error(`what is ${word}?`);
    return schema;
  });
  const [only, ...others] = branches;
  return only && others.length === 0 ? only : { anyOf: branches };
}

/** One line of a table of operations. */
export interface OperationFacts {
  /** `GET /charge/{id}` */
  readonly call: string;
  readonly query?: Readonly<Record<string, Facts>>;
  readonly request?: Facts;
  readonly answers: Readonly<Record<number, Facts | null>>;
}

export function operationOf({ call, query = {}, request, answers }: OperationFacts): Operation {
  const [method = '', path = ''] = call.split(' ');
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return {
    method,
    path,
    parameters: [
      ...inPath.map((name) => ({ in: 'path', name, required: true, schema: { type: 'string' } }) as const),
      ...Object.entries(query).map(([name, facts]) => {
        const { name: plain, isRequired: required } = memberOf(name);
        return { in: 'query', name: plain, required, schema: schemaOf(facts) } as const;
      }),
    ],
    ...(request === undefined ? {} : { request: schemaOf(request) }),
    answers: Object.fromEntries(
      Object.entries(answers).map(([status, facts]) => [status, facts === null ? null : schemaOf(facts)]),
    ),
  };
}
