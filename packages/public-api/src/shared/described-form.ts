import { z } from 'zod';

// A rule between members, such as "this or that", is a check after the members have been read, whose refusal names the
// member. JSON Schema says the same in alternatives, which a generator turns into types.

const forms = new WeakMap<z.ZodType, z.ZodType>();

/** The schema, which API descriptions show in another form. Both accept the same values; a test compares them. */
export function describedAs<S extends z.ZodType>(schema: S, form: z.ZodType): S {
  forms.set(schema, form);
  return schema;
}

/** The form in which descriptions show a schema; most are shown as they are. */
export function describedForm(schema: z.ZodType): z.ZodType {
  return forms.get(schema) ?? schema;
}

/** A member that an alternative does not have; like every optional member it may be null. */
export function absent(why: string) {
  return z.null().optional().describe(why);
}
