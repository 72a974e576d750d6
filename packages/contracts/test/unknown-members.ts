import { z } from 'zod';

/** What a newer sender might add anywhere. */
const unknownMembers = { addedLater: { nested: [1, 'two', null] }, added_text: 'x' };

/**
 * The message with unknown members in each of its objects. Maps (`z.record`) are left alone: their members
 * are data, not structure.
 */
export function withUnknownMembers(schema: z.ZodType, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (schema instanceof z.ZodObject) {
    const shape = schema.shape as Readonly<Record<string, z.ZodType>>;
    const members = Object.entries(value).map(([name, member]) => {
      const known = shape[name];
      return [name, known ? withUnknownMembers(known, member) : (member as unknown)];
    });
    return { ...Object.fromEntries(members), ...unknownMembers };
  }
  if (schema instanceof z.ZodArray) {
    const element = schema.element as z.ZodType;
    return (value as unknown[]).map((each) => withUnknownMembers(element, each));
  }
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return withUnknownMembers(schema.unwrap() as z.ZodType, value);
  }
  if (schema instanceof z.ZodUnion) {
    const options = schema.options as readonly z.ZodType[];
    const fitting = options.find((option) => option.safeParse(value).success);
    return fitting ? withUnknownMembers(fitting, value) : value;
  }
  return value;
}
