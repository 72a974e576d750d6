import { z } from 'zod';
import { detailsOf, ValidationError } from '@gateway/contracts/errors';
import { dialectNames } from '#src/account/charge.ts';
import { decimalSchema } from '#src/bitso/market.ts';
import { callFaults, notificationFaults, operations } from '#src/faults/fault.ts';

const cents = z.int().positive().max(Number.MAX_SAFE_INTEGER);

export const payRequestSchema = z
  .strictObject({
    amount_cents: cents.optional(),
    /** Paid after the charge has ended. */
    late: z.boolean().default(false),
    e2e_id: z
      .string()
      .regex(/^[A-Za-z0-9]{1,64}$/)
      .optional(),
    payer: z
      .strictObject({ name: z.string().min(1).max(200), document: z.string().regex(/^[0-9A-Z]{10,20}$/) })
      .optional(),
  })
  .default({ late: false });

export const disputeRequestSchema = z.strictObject({ amount_cents: cents.optional() }).default({});

export const resolveRequestSchema = z.strictObject({
  result: z.enum(['UNDER_ANALYSIS', 'ACCEPTED', 'REJECTED', 'CANCELED']),
});

export const listedByRequestSchema = z.strictObject({ listed_by: z.enum(['change', 'creation']) });

export const settleRequestSchema = z.strictObject({ result: z.enum(['paid', 'failed']) });

export const returnRequestSchema = z.strictObject({ amount_cents: cents.optional() }).default({});

const yearMs = 365 * 86_400_000;

export const clockRequestSchema = z.strictObject({ advance_ms: z.int().nonnegative().max(yearMs) });

/** Without `times` and `percent` every call is struck; with `percent` the seed decides, the same way each time. */
export const faultRequestSchema = z
  .strictObject({
    dialect: z.enum([...dialectNames, 'bitso']).optional(),
    operation: z.enum(operations),
    fault: z.enum([...callFaults, ...notificationFaults]),
    times: z.int().positive().optional(),
    seed: z.string().max(100).optional(),
    percent: z.int().min(0).max(100).optional(),
  })
  .refine(
    ({ operation, fault }) => (operation === 'notification') === notificationFaults.some((name) => name === fault),
    { message: 'the fault does not go with the operation', path: ['fault'] },
  );

/** What is offered at the exchange, and what the account there holds. */
export const exchangeRequestSchema = z.strictObject({
  book: z.enum(['usdt_brl', 'usdt_mxn']),
  ask: decimalSchema.optional(),
  /** To the next orders together; null for as much as they ask for. */
  offered: decimalSchema.nullish(),
  is_open: z.boolean().optional(),
  /** Of the currency that pays. */
  balance: decimalSchema.optional(),
});

export type PayRequest = z.infer<typeof payRequestSchema>;
export type DisputeRequest = z.infer<typeof disputeRequestSchema>;
export type ResolveRequest = z.infer<typeof resolveRequestSchema>;
export type ReturnRequest = z.infer<typeof returnRequestSchema>;
export type FaultRequest = z.infer<typeof faultRequestSchema>;

/** @throws ValidationError naming what does not fit */
export function readRequest<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new ValidationError(detailsOf(parsed.error));
  return parsed.data;
}
