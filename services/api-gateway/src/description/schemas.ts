import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

export interface JsonSchema {
  type?: string | readonly string[];
  $ref?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  description?: string;
  title?: string;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  examples?: readonly unknown[];
  [member: string]: unknown;
}

const definitions = '#/$defs/';
const components = '#/components/schemas/';

/** Whether a schema is of something that callers send or that they get. */
type Direction = 'input' | 'output';

/** The schemas of one document: those that have a name stand below `components`, and are referred to elsewhere. */
export class DocumentSchemas {
  readonly #named = new Map<string, JsonSchema>();

  /**
   * The schema as a document has it.
   *
   * @throws Error when two different schemas have one name
   */
  write(schema: z.ZodType, direction: Direction): JsonSchema {
    const written = z.toJSONSchema(z.object({ root: schema }), {
      target: 'draft-2020-12',
      io: direction,
      unrepresentable: 'any',
    }) as JsonSchema & { $defs?: Record<string, JsonSchema> };
    tidy(written, direction);
    for (const [name, definition] of Object.entries(written.$defs ?? {})) {
      if (direction === 'input') {
        dropDefaults(definition);
        allowNull(definition, written.$defs ?? {});
      }
      this.#keep(name, definition);
    }
    return referring(written.properties?.['root'] ?? {});
  }

  /** Members of a query or path, each with its schema. */
  writeMembers(schema: z.ZodType, direction: Direction): { name: string; schema: JsonSchema; required: boolean }[] {
    const { properties = {}, required = [] } = this.write(schema, direction);
    return Object.entries(properties).map(([name, member]) => {
      return { name, schema: member, required: required.includes(name) };
    });
  }

  add(name: string, schema: JsonSchema): void {
    this.#keep(name, schema);
  }

  /** In the order of their names. */
  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#named].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  resolve(schema: JsonSchema): JsonSchema {
    const name = schema.$ref?.slice(components.length);
    return name === undefined ? schema : { ...this.#named.get(name), ...schema, $ref: undefined };
  }

  #keep(name: string, definition: JsonSchema): void {
    const schema = referring({ title: name, ...definition });
    const known = this.#named.get(name);
    if (known && !isDeepStrictEqual(known, schema)) {
      throw new Error(`two schemas of the API description are named ${name}: give one of them another name`);
    }
    this.#named.set(name, schema);
  }
}

/** What a reference to a named schema points at. */
export function nameIn({ $ref }: JsonSchema): string | undefined {
  return $ref?.startsWith(components) ? $ref.slice(components.length) : undefined;
}

export function referenceTo(name: string): JsonSchema {
  return { $ref: `${components}${name}` };
}

function referring<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll(`"${definitions}`, `"${components}`)) as T;
}

/** Takes away what a schema says of our language and not of the interface, everywhere in it. */
function tidy(schema: JsonSchema, direction: Direction): void {
  for (const below of partsOf(schema)) tidy(below, direction);
  delete schema['id'];
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // Parameters arrive as text; what callers mean is a number.
  if (schema.type === 'integer') {
    delete schema.pattern;
    if (schema.examples?.some((example) => typeof example === 'string')) delete schema.examples;
  }
  // Members may be added to answers: clients that refuse unknown ones would break.
  if (direction === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.type === 'object' && schema.properties) describeNullable(schema);
}

/** What happens without a member of a body is stated in words: of one with a default, generators make one that is required. */
function dropDefaults({ properties = {} }: JsonSchema): void {
  for (const member of Object.values(properties)) delete member.default;
}

/** A member that may be left out may be null (api.md 8). */
function allowNull({ properties = {}, required = [] }: JsonSchema, named: Readonly<Record<string, JsonSchema>>): void {
  for (const [name, member] of Object.entries(properties)) {
    if (required.includes(name) || takesNull(member)) continue;
    const ofName = named[member.$ref?.slice(definitions.length) ?? '']?.description;
    const { description = ofName, examples: _examples, ...form } = member;
    if (description !== undefined) member.description = description;
    for (const word of Object.keys(form)) Reflect.deleteProperty(member, word);
    member.anyOf = [form, { type: 'null' }];
  }
}

function takesNull({ type, anyOf = [] }: JsonSchema): boolean {
  return type === 'null' || (Array.isArray(type) && type.includes('null')) || anyOf.some(takesNull);
}

function partsOf(schema: JsonSchema): JsonSchema[] {
  const { properties = {}, $defs = {}, items, additionalProperties } = schema;
  const maps = [...Object.values(properties), ...Object.values($defs as Record<string, JsonSchema>)];
  const lists = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const single = [items, additionalProperties].filter((part) => typeof part === 'object');
  return [...maps, ...lists, ...single];
}

/** What a member that may be null says of itself stands beside its forms, where clients show it. */
function describeNullable({ properties = {} }: JsonSchema): void {
  for (const member of Object.values(properties)) {
    const [given, ...others] = member.anyOf?.filter(({ type }) => type !== 'null') ?? [];
    if (!given || others.length > 0) continue;
    const { description, examples } = given;
    if (member.description === undefined && description !== undefined) member.description = description;
    if (member['examples'] === undefined && examples) member['examples'] = examples;
    delete given.description;
    delete given['examples'];
  }
}
