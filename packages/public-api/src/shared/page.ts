import { z } from 'zod';

export const pageLimitDefault = 50;
export const pageLimitMax = 200;

/** The list envelope of spec 2.7: newest first, `next_cursor` null on the last page. */
export function pageOf<S extends z.ZodType>(record: S) {
  return z.object({ data: z.array(record), next_cursor: z.string().nullable() });
}
