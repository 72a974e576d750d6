import { z } from 'zod';
import { dialectNames } from '#src/account/charge.ts';
import { signings } from '#src/bank/bank-event.ts';

const cents = z.int().positive().max(Number.MAX_SAFE_INTEGER);
const minuteMs = 60_000;
const bodyCharactersMax = 60_000;

/** How a lie is sent. Default: signed as another customer of the provider could have it signed, once, without delay. */
const delivery = {
  signing: z.enum(signings).default('platform'),
  copies: z.int().min(1).max(100).default(1),
  delay_ms: z
    .int()
    .nonnegative()
    .max(10 * minuteMs)
    .default(0),
};
const reference = z.string().min(1).max(64);

export const lieRequestSchema = z.discriminatedUnion('about', [
  /** The charge was paid. */
  z.strictObject({
    about: z.literal('payment'),
    reference,
    amount_cents: cents.optional(),
    e2e_id: z.string().max(400).optional(),
    ...delivery,
  }),
  /** The transfer came to its end. */
  z.strictObject({
    about: z.literal('transfer'),
    reference,
    result: z.enum(['paid', 'failed']),
    amount_cents: cents.optional(),
    ...delivery,
  }),
  /** The transfer came back. */
  z.strictObject({ about: z.literal('return'), reference, amount_cents: cents.optional(), ...delivery }),
  /** The payment (its end-to-end id) is contested, or the money was taken back. */
  z.strictObject({
    about: z.literal('dispute'),
    reference,
    status: z.enum(['OPEN', 'ACCEPTED', 'REJECTED', 'CANCELED']).default('ACCEPTED'),
    amount_cents: cents.optional(),
    ...delivery,
  }),
  /** Bytes as they are given. */
  z.strictObject({
    about: z.literal('anything'),
    dialect: z.enum(dialectNames),
    body: z.string().max(bodyCharactersMax),
    ...delivery,
  }),
]);
export type LieRequest = z.infer<typeof lieRequestSchema>;

const daysMax = 400;
export const ageRequestSchema = z.strictObject({ days: z.int().min(1).max(daysMax) });

const floodMax = 20_000;
export const floodRequestSchema = z.strictObject({
  dialect: z.enum(['bacen', 'efi', 'woovi']),
  payments: z.int().min(1).max(floodMax),
  /** They come one after another for so long. */
  over_sec: z.int().min(1).max(3_600).default(60),
  /** How many of them have an id no description allows. */
  unreadable: z.int().min(0).max(floodMax).default(0),
});
export type FloodRequest = z.infer<typeof floodRequestSchema>;
