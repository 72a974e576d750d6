import type { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

const lineMax = 100;

/** A JSON schema as a TypeScript reader would write it, with the limits TypeScript has no words for behind it. */
export function shapeOf(schema: JsonSchema, indent = ''): string {
  if (schema.$ref !== undefined) return schema.$ref.replace('#/$defs/', '');
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return unionShape(() => schema.enum?.map(literal) ?? [], indent);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return unionShape((inner) => options.map((option) => shapeOf(option, inner)), indent);
  if (Array.isArray(schema.type)) return (schema.type as string[]).join(' | ');
  if (schema.type === 'array') return arrayShape(schema, indent);
  if (schema.type === 'object') return objectShape(schema, indent);
  return schema.type ?? 'unknown';
}

/** On one line where it fits, else an option per line. */
function unionShape(options: (indent: string) => readonly string[], indent: string): string {
  const line = options(indent).join(' | ');
  if (line.length <= lineMax) return line;
  return options(`${indent}    `)
    .map((option) => `\n${indent}  | ${option}`)
    .join('');
}

function arrayShape({ items }: JsonSchema, indent: string): string {
  const item = shapeOf(items as JsonSchema, indent);
  return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
}

function objectShape({ properties, required, additionalProperties }: JsonSchema, indent: string): string {
  const members = Object.entries((properties ?? {}) as Record<string, JsonSchema>);
  if (typeof additionalProperties === 'object') {
    return `Record<string, ${shapeOf(additionalProperties, indent)}>`;
  }
  if (members.length === 0) return '{}';
  const lines = members.map(([name, member]) => {
    const optional = required?.includes(name) === true ? '' : '?';
    const limits = limitsOf(member);
    return `${indent}  ${name}${optional}: ${shapeOf(member, `${indent}  `)};${limits === '' ? '' : ` // ${limits}`}`;
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

/** What a value must fit beyond its type; empty when that is all. */
export function limitsOf(schema: JsonSchema): string {
  const { pattern, minLength, maxLength, minimum, exclusiveMinimum, maximum } = schema;
  const limits: string[] = [];
  if (pattern !== undefined) limits.push(pattern);
  if (minLength !== undefined || maxLength !== undefined)
    limits.push(`${minLength ?? 0}–${maxLength ?? '…'} characters`);
  if (exclusiveMinimum !== undefined) limits.push(`> ${exclusiveMinimum}`);
  if (minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER) limits.push(`≥ ${minimum}`);
  if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) limits.push(`≤ ${maximum}`);
  return limits.join(', ');
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}
