import { pythonText } from './text.ts';

// Documents are JSON of no type here.
/* oxlint-disable typescript/no-explicit-any, typescript/no-unsafe-assignment,
   typescript/no-unsafe-member-access, typescript/no-unsafe-argument,
   typescript/no-unsafe-call */
export type Json = any;

/** The component schemas of a description, by their names. */
export type Schemas = Readonly<Record<string, Json>>;

/** What a schema is in Python, and how an answer's member is read that holds records: `one(Payer)`. */
export interface PythonType {
  readonly type: string;
  readonly read?: string;
}

/** @param isAsked what a call takes: its enumerations are closed, its objects are dicts */
export function typeOf(schema: Json, schemas: Schemas, isAsked: boolean): PythonType {
  if (schema.$ref !== undefined) return referenced(nameOf(schema.$ref), schemas, isAsked);
  if (schema.const !== undefined) return { type: `Literal[${pythonText(schema.const)}]` };
  if (schema.enum !== undefined) return { type: literalOf(schema.enum, isAsked) };
  const forms: Json[] | undefined = schema.anyOf ?? schema.oneOf;
  if (forms !== undefined) return unionOf(forms.map((form) => typeOf(form, schemas, isAsked)));
  if (Array.isArray(schema.type))
    return unionOf(schema.type.map((type: string) => typeOf({ ...schema, type }, schemas, isAsked)));
  switch (schema.type) {
    case 'string':
      return { type: 'str' };
    case 'integer':
      return { type: 'int' };
    case 'number':
      return { type: 'float' };
    case 'boolean':
      return { type: 'bool' };
    case 'null':
      return { type: 'None' };
    case 'array': {
      const { type, read } = typeOf(schema.items, schemas, isAsked);
      return { type: `Sequence[${type}]`, ...(read === undefined ? {} : { read: read.replace('one(', 'many(') }) };
    }
    case 'object': {
      if (schema.properties !== undefined) throw new Error('an object schema without a name: sdks/python needs one');
      const { type } = typeOf(schema.additionalProperties ?? {}, schemas, isAsked);
      return { type: `Mapping[str, ${type}]` };
    }
    default:
      return { type: 'Json' };
  }
}

export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** The names of the enumeration's values. One of answers is open: a value may be added to it. */
export function literalOf(values: readonly Json[], isAsked: boolean): string {
  const literal = `Literal[${values.map((value) => pythonText(String(value))).join(', ')}]`;
  return isAsked ? literal : `${literal} | str`;
}

/** The component schemas that a part of a document names, by way of others too. */
export function referencesFrom(schemas: Schemas, root: Json, found = new Set<string>()): Set<string> {
  if (typeof root !== 'object' || root === null) return found;
  const name = typeof root.$ref === 'string' ? nameOf(root.$ref) : '';
  if (name in schemas && !found.has(name)) {
    found.add(name);
    referencesFrom(schemas, schemas[name], found);
  }
  for (const member of Object.values<Json>(root)) referencesFrom(schemas, member, found);
  return found;
}

function referenced(name: string, schemas: Schemas, isAsked: boolean): PythonType {
  const schema = schemas[name];
  if (schema?.properties === undefined || isAsked) return { type: name };
  return { type: name, read: `one(${name})` };
}

function unionOf(types: readonly PythonType[]): PythonType {
  const names = [...new Set(types.flatMap(({ type }) => alternativesOf(type)))];
  const ordered = [...names.filter((name) => name !== 'None'), ...names.filter((name) => name === 'None')];
  const reads = [...new Set(types.flatMap(({ read }) => read ?? []))];
  const read = reads.length > 1 ? `either(${reads.map((each) => each.slice(4, -1)).join(', ')})` : reads[0];
  return { type: ordered.join(' | '), ...(read === undefined ? {} : { read }) };
}

/** `Mapping[str, int | None] | None` is two. */
function alternativesOf(type: string): string[] {
  let depth = 0;
  let part = '';
  const parts: string[] = [];
  for (const character of `${type}|`) {
    depth += character === '[' ? 1 : character === ']' ? -1 : 0;
    if (character === '|' && depth === 0) {
      parts.push(part.trim());
      part = '';
    } else part += character;
  }
  return parts;
}
