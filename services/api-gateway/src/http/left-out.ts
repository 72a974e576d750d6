import { z } from 'zod';

/**
 * A body without the members that are null where they could have been left out: SDKs write null for what they are not
 * given (api.md 8). Where the schema of a member takes null, null has a meaning of its own there, and stays.
 */
export function withoutNulls(schema: z.core.$ZodType, value: unknown): unknown {
  const within = innermost(schema);
  if (within instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((entry) => withoutNulls(within.element, entry));
  }
  if (!(within instanceof z.ZodObject) || typeof value !== 'object' || value === null || Array.isArray(value))
    return value;
  const shape: Readonly<Record<string, z.ZodType | undefined>> = within.shape;
  const kept = Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (!known) return [[name, member]];
    return member === null && takes(known, undefined) && !takes(known, null)
      ? []
      : [[name, withoutNulls(known, member)]];
  });
  return Object.fromEntries(kept);
}

function takes(schema: z.ZodType, value: unknown): boolean {
  return schema.safeParse(value).success;
}

/** What a schema is before it is made optional or given a default, and before what it reads is changed. */
function innermost(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return innermost(schema.unwrap());
  }
  return schema instanceof z.ZodPipe ? innermost(schema.in) : schema;
}
