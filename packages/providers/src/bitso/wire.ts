import { z } from 'zod';
import { exactTextSchema } from '#src/exact-decimal.ts';

/*
 * Bitso's public API v3 as docs.bitso.com and its earlier reference publish it (read on 22 November 2026): decimals are
 * texts, a market is `major_minor`, an answer is `{ success, payload }` or `{ success: false, error: { code, message } }`.
 */

/** An id or a name that is kept on record, where not every text can be. */
const word = /^[\x21-\x7e]{1,100}$/;

export const failureSchema = z.object({
  success: z.literal(false),
  error: z.object({ code: z.coerce.string().regex(word), message: z.string().default('') }),
});

function answerOf<T extends z.ZodType>(payload: T) {
  return z.union([z.object({ success: z.literal(true), payload }), failureSchema]);
}

/** `POST /v3/orders` */
export const placedSchema = answerOf(z.object({ oid: z.string().regex(word) }));

/** `GET /v3/orders?origin_ids=`: open ones, and ended ones for a time. */
export const ordersSchema = answerOf(
  z.array(
    z.object({
      oid: z.string().regex(word),
      origin_id: z.string().nullish(),
      book: z.string(),
      status: z.string(),
      original_amount: exactTextSchema.nullish(),
      unfilled_amount: exactTextSchema.nullish(),
    }),
  ),
);

/** `GET /v3/order_trades?origin_id=`: amounts of a sale are negative, and so are fees. */
export const tradesSchema = answerOf(
  z.array(
    z.object({
      book: z.string(),
      oid: z.string().regex(word),
      origin_id: z.string().nullish(),
      tid: z.union([z.string(), z.int()]).transform(String),
      side: z.enum(['buy', 'sell']),
      major: exactTextSchema,
      minor: exactTextSchema,
      fees_amount: exactTextSchema,
      fees_currency: z.string().regex(word),
    }),
  ),
);
export type BitsoOrder = Extract<z.infer<typeof ordersSchema>, { success: true }>['payload'][number];
export type BitsoTrade = Extract<z.infer<typeof tradesSchema>, { success: true }>['payload'][number];

/** `GET /v3/available_books/` */
export const booksSchema = answerOf(
  z.array(
    z.object({
      book: z.string(),
      minimum_amount: exactTextSchema,
      minimum_value: exactTextSchema,
      tick_size: exactTextSchema.optional(),
    }),
  ),
);

/** `GET /v3/ticker/?book=` */
export const tickerSchema = answerOf(z.object({ book: z.string(), ask: exactTextSchema }));

/** `GET /v3/fees/` */
export const feesSchema = answerOf(
  z.object({ fees: z.array(z.object({ book: z.string(), taker_fee_decimal: exactTextSchema })) }),
);

/** `GET /v3/balance/` */
export const balancesSchema = answerOf(
  z.object({ balances: z.array(z.object({ currency: z.string(), total: exactTextSchema })) }),
);

/** `usdt_brl` */
export function bookOf(currency: string): string {
  return `usdt_${currency.toLowerCase()}`;
}
