import { z } from '@medusajs/framework/zod';
import { MedusaError } from '@medusajs/framework/utils';

/**
 * What a payment session keeps of its charge. The storefront reads it: the code to copy, the page to send the payer to, and
 * until when it can be paid.
 */
const sessionDataSchema = z.object({
  session_id: z.string().min(1),
  deposit_id: z.string().startsWith('dep_'),
  /** How often the amount of the session was changed; a part of the charge's `external_id`. */
  attempt: z.number().int().min(0),
  amount_cents: z.number().int().positive(),
  emv: z.string().nullable(),
  payment_url: z.string().nullable(),
  /** Unix seconds. */
  expires_at: z.number().int(),
  status: z.string(),
  /** The `external_id` of each refund that Medusa knows of. */
  refunds: z.array(z.string()).default([]),
});
export type SessionData = z.infer<typeof sessionDataSchema>;

/** @throws MedusaError INVALID_DATA for a session that was not made by this provider */
export function readSessionData(data: unknown): SessionData {
  const read = sessionDataSchema.safeParse(data);
  if (read.success) return read.data;
  const problem = read.error.issues[0];
  const named = `${problem?.path.join('.') ?? ''}: ${problem?.message ?? ''}`;
  throw new MedusaError(MedusaError.Types.INVALID_DATA, `the session has no charge of the gateway (${named})`);
}
