import { z } from 'zod';

const instantSchema = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const farPast = new Date('2020-01-01T00:00:00Z');
const farFuture = new Date('2100-01-01T00:00:00Z');

/** Period and paging of Woovi's lists; all of it optional. */
export const windowSchema = z.object({
  start: instantSchema.default(farPast),
  end: instantSchema.default(farFuture),
  skip: z.coerce.number().int().nonnegative().default(0),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
});

export function presentPageInfo(
  { skip, limit }: { readonly skip: number; readonly limit: number },
  hasNextPage: boolean,
): object {
  return { skip, limit, hasPreviousPage: skip > 0, hasNextPage };
}
