import { z } from 'zod';
import { isVersioned, type ByVersion, type VersionedBody } from '#src/shared/versioned.ts';

export const pageLimitDefault = 50;
export const pageLimitMax = 200;

/** `next_cursor` of a list that comes in one page, as every list has it. */
export const onlyPage = {
  next_cursor: z
    .string()
    .nullable()
    .describe('Always null: the list comes in one page.')
    .meta({ examples: [null] }),
};

/** The list envelope of spec 2.7: newest first, `next_cursor` null on the last page. */
function pageSchemaOf<S extends z.ZodType>(record: S) {
  const page = z.object({
    data: z.array(record).describe('The records of this page, in the order of the list.'),
    next_cursor: z
      .string()
      .nullable()
      .describe('The `cursor` of the next page; null on the last one.')
      .meta({ examples: [null] }),
  });
  return named(page, nameOf(record), { suffix: 'Page', description: 'A page of a list.' });
}
type PageSchema<S extends z.ZodType> = ReturnType<typeof pageSchemaOf<S>>;

/** A page of records, in each contract where the record has a form in each. */
export function pageOf<S extends z.ZodType>(record: S): PageSchema<S>;
export function pageOf<Before extends z.ZodType, Beta extends z.ZodType>(
  record: ByVersion<Before, Beta>,
): ByVersion<PageSchema<Before>, PageSchema<Beta>>;
export function pageOf(record: z.ZodType | VersionedBody): z.ZodType | VersionedBody {
  if (!isVersioned(record)) return pageSchemaOf(record);
  return { '0.1': pageSchemaOf(record['0.1']), '1.0': pageSchemaOf(record['1.0']) };
}

type Members = Readonly<Record<string, z.ZodType | VersionedBody>>;

/** An answer that has its record under a name: `{ payout: … }`, in each contract. */
export function wrapped(members: Members): ByVersion<z.ZodType, z.ZodType> {
  return { '0.1': envelopeOf(members, '0.1'), '1.0': envelopeOf(members, '1.0') };
}

function envelopeOf(members: Members, version: '0.1' | '1.0'): z.ZodType {
  const shape = Object.entries(members).map(([name, schema]) => {
    return [name, isVersioned(schema) ? schema[version] : schema] as const;
  });
  const [first] = shape;
  const description = 'The record, under the name of its kind.';
  return named(z.object(Object.fromEntries(shape)), first && nameOf(first[1]), { suffix: 'Answer', description });
}

/**
 * The answer of an operation of operators that reads one record: the record itself (api.md 5), and under the name of its kind
 * the same once more, for clients that read it there.
 *
 * @param nameOfRecord what the name of its schema begins with, where that is not the name of the record's
 */
export function recordAnswerSchema<Name extends string, S extends z.ZodObject>(
  name: Name,
  record: S,
  nameOfRecord = nameOf(record),
) {
  const again = { [name]: record.describe('The same record, for clients that read it under its name.') };
  const description = 'The record, and the same under the name of its kind.';
  return named(record.extend(again as Record<Name, S>), nameOfRecord, { suffix: 'Answer', description });
}

export function recordAnswer<Name extends string, R extends object>(name: Name, record: R): R & Record<Name, R> {
  return { ...record, [name]: record } as R & Record<Name, R>;
}

/** The name of a schema in the API descriptions. */
function nameOf(schema: z.ZodType): string | undefined {
  return z.globalRegistry.get(schema)?.id;
}

function named<S extends z.ZodType>(
  schema: S,
  record: string | undefined,
  { suffix, description }: { readonly suffix: string; readonly description: string },
): S {
  return record === undefined ? schema : schema.meta({ id: `${record}${suffix}`, description });
}
