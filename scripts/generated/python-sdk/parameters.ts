import type { Method } from './methods.ts';
import { formsOf } from './models.ts';
import { nameOf, typeOf, type Json, type Schemas } from './types.ts';

/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-member-access,
   typescript/no-unsafe-argument, typescript/no-unsafe-call, typescript/no-unsafe-return */

/** Times may also be Unix seconds or an aware datetime. */
const times = new Set(['from', 'to', 'at', 'due_before']);

export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

export interface Described {
  readonly id: string;
  readonly method: Method;
  readonly operation: Json;
  readonly schemas: Schemas;
}

export function queryOf({ operation, schemas }: Described): Parameter[] {
  return (operation.parameters as Json[])
    .filter((each) => each.in === 'query')
    .map(({ name, schema, required, description }) => ({
      name,
      type: isBoolean(schema)
        ? 'bool'
        : times.has(name) && schema.type === 'string'
          ? 'str | int | datetime'
          : qualified(schema, schemas),
      isRequired: required === true,
      description: description ?? name,
    }));
}

/** `true` and `false`, as a query writes them. */
function isBoolean(schema: Json): boolean {
  return JSON.stringify(schema.enum) === '["true","false"]';
}

/** Of a body that is one of several: all their members, those required that are in each. */
export function bodyOf({ operation, schemas }: Described): Parameter[] {
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (schema === undefined) return [];
  const forms = formsOf(schema, schemas);
  return [...new Set(forms.flatMap(({ properties }) => Object.keys(properties)))].map((name) => {
    const members: Json[] = forms.flatMap(({ properties }) => properties[name] ?? []);
    const ofOne = members.length === 1 ? members[0] : { anyOf: members };
    return {
      name,
      type: qualified(ofOne, schemas),
      isRequired: forms.every(({ required }) => required?.includes(name) === true),
      description:
        members.map(({ description }) => description).find((each) => each !== undefined) ??
        schemas[nameOf(members[0]?.$ref ?? '')]?.description ??
        'As described.',
    };
  });
}

/** A type whose names are those of the module of records. */
function qualified(schema: Json, schemas: Schemas): string {
  const { type } = typeOf(schema, schemas, true);
  return type.replaceAll(/"[^"]*"|\b[A-Z]\w+\b/g, (word) => (word in schemas ? `m.${word}` : word));
}
