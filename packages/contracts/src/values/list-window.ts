import { z } from 'zod';

export const listOrderSchema = z.enum(['asc', 'desc']);
export type ListOrder = z.infer<typeof listOrderSchema>;

const unixTimeSchema = z.number().nonnegative();

/** Which records of a list are wanted, by when they were made, and in which order; a cursor goes on in that order. */
export const listWindow = {
  /** Unix seconds, to the millisecond; inclusive. */
  from: unixTimeSchema.optional(),
  /** Unix seconds, to the millisecond; exclusive. */
  to: unixTimeSchema.optional(),
  /** Newest first unless it says otherwise. */
  order: listOrderSchema.optional(),
};
