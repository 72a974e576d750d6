import { z } from 'zod';
import { centsSchema, movedCentsSchema } from '#src/wire-amounts.ts';

/*
 * Answers of Fintoc's Transfers API (version 2026-02-01), as far as they are read: docs.fintoc.com/api/transfers-api,
 * pages "Transfer object", "Account Number object" and "Account object", read on 22 November 2026. Amounts are integers
 * in centavos. What a customer attaches to an account number or a transfer (`metadata`) comes back with it.
 */

const idSchema = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const instantSchema = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const trackingKeySchema = z.string().min(1).max(64);

/** What the gateway attaches: which of its records it is. Absent where the object was made in another way. */
const metadataSchema = z.object({
  reference: z.string().max(64).optional().catch(undefined),
  kind: z.string().max(64).optional().catch(undefined),
  /** Centavos: what a charge asks for, which an account number itself does not have. */
  amount: z
    .string()
    .regex(/^\d{1,14}$/)
    .transform(Number)
    .optional()
    .catch(undefined),
});

export const errorSchema = z.object({
  error: z.object({
    type: z.string(),
    code: z.string().nullish(),
    message: z.string().nullish(),
  }),
});

/** A CLABE of its own is taken as it is: test mode gives out ones with wrong control digits. */
export const accountNumberSchema = z.object({
  id: idSchema,
  number: z.string().regex(/^\d{18}$/),
  status: z.enum(['enabled', 'disabled', 'deleted']).default('enabled'),
  created_at: instantSchema,
  /** Null where its maker attached nothing: it is none of ours. */
  metadata: metadataSchema.nullish().catch(undefined),
});
export type AccountNumber = z.infer<typeof accountNumberSchema>;

/** The page lists seven; one that is not among them is unreadable, and no outcome. */
const transferStatusSchema = z.enum([
  'pending',
  'succeeded',
  'failed',
  'rejected',
  'returned',
  'return_pending',
  'reject_failed',
]);

export const transferSchema = z.object({
  id: idSchema,
  direction: z.enum(['inbound', 'outbound']),
  amount: movedCentsSchema,
  currency: z.string().length(3),
  status: transferStatusSchema,
  tracking_key: trackingKeySchema.nullish(),
  transaction_date: instantSchema.nullish(),
  /** SPEI's cause of a return; a failure that has another cause has none. */
  return_reason: z.string().nullish(),
  account_number: z.object({ id: idSchema, metadata: metadataSchema.nullish().catch(undefined) }).nullish(),
  counterparty: z
    .object({
      account_number: z.string().max(64).nullish(),
      holder_name: z.string().nullish(),
      holder_id: z.string().nullish(),
      institution: z.object({ name: z.string().nullish() }).nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
  metadata: metadataSchema.nullish().catch(undefined),
});
export type FintocTransfer = z.infer<typeof transferSchema>;

export const accountSchema = z.object({
  available_balance: centsSchema,
  currency: z.string().length(3),
  /** Whose account it is: what the payer's bank shows ("Account object"). */
  entity: z
    .object({ holder_name: z.string().min(1).max(200).nullish() })
    .nullish()
    .catch(undefined),
});

export const webhookEndpointsSchema = z.array(
  z.object({ url: z.string(), enabled_events: z.array(z.string()), status: z.string().default('enabled') }),
);

/** docs.fintoc.com/api/fintoc-api/pagination: an array; the next page begins behind the last id of this one. */
export const pageSchema = z.array(z.unknown());

/** An event that a webhook carries: `data` is the object as it was then. */
export const eventSchema = z.object({
  id: z.string().min(1).max(64),
  type: z.string().min(1).max(64),
  created_at: instantSchema,
  data: z.unknown(),
});
export type FintocEvent = z.infer<typeof eventSchema>;
