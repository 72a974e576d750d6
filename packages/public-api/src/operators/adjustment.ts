import { z } from 'zod';
import { externalIdSchema, requestText, environmentSchema, type ApiVersion } from '@gateway/contracts/values';
import { idSchema, currencySchema } from '@gateway/money';
import { foreignCurrency, foreignCurrencySchema } from '#src/shared/foreign-currency.ts';
import { eitherContract } from '#src/shared/versioned.ts';

const amountMax = 100_000_000_000;

/** Body of `POST /ops/adjustments` (api.md 5). */
export const adjustmentRequestSchema = z.strictObject({
  account_id: idSchema('account'),
  environment: environmentSchema,
  currency: currencySchema,
  /** Signed, in minor units: what the available balance changes by. */
  amount_cents: z
    .int()
    .min(-amountMax)
    .max(amountMax)
    .refine((amount) => amount !== 0, 'must not be 0'),
  reason: requestText(1, 500),
  external_id: externalIdSchema,
});
export type AdjustmentRequest = z.infer<typeof adjustmentRequestSchema>;

/** REFUSED by the ledger; REJECTED by another operator; WITHDRAWN by its proposer; EXPIRED without a decision. */
export const adjustmentStatusSchema = z.enum(['PROPOSED', 'APPLIED', 'REFUSED', 'REJECTED', 'WITHDRAWN', 'EXPIRED']);

/** A correction of a balance by two operators (api.md 5). */
export const adjustmentResourceSchema = z.object({
  id: z.string(),
  object: z.literal('adjustment'),
  account_id: z.string(),
  environment: environmentSchema,
  currency: currencySchema,
  amount_cents: z.int(),
  reason: z.string(),
  external_id: z.string(),
  status: adjustmentStatusSchema,
  proposed_by: z.string(),
  approved_by: z.string().nullable(),
  /** Unix seconds. */
  created_at: z.int(),
  /** Unix seconds; null while proposed. */
  decided_at: z.int().nullable(),
});
export type AdjustmentResource = z.infer<typeof adjustmentResourceSchema>;

/** What a merchant reads of a correction that was carried out: the record behind a line of the statement. */
const appliedBefore = z.object({
  id: z.string(),
  object: z.literal('adjustment'),
  /** Signed: what the available balance changed by. */
  amount_cents: z.int(),
  currency: foreignCurrencySchema,
  status: z.literal('APPLIED'),
  environment: environmentSchema,
  /** Unix seconds. */
  applied_at: z.int(),
});
const appliedBeta = appliedBefore.omit({ amount_cents: true }).extend({ amount: z.int(), currency: currencySchema });

export const appliedAdjustmentSchema = eitherContract(appliedBefore, appliedBeta);

/** Neither who decided it nor what they noted: that is between operators. */
export function presentAppliedAdjustment(
  adjustment: Pick<
    AdjustmentResource,
    'id' | 'amount_cents' | 'currency' | 'environment' | 'created_at' | 'decided_at'
  >,
  version: ApiVersion,
): z.infer<typeof appliedAdjustmentSchema> {
  const { id, amount_cents, currency, environment, created_at, decided_at } = adjustment;
  const shared = { id, object: 'adjustment', status: 'APPLIED', environment } as const;
  const at = { applied_at: decided_at ?? created_at };
  if (version === '1.0') return { ...shared, ...at, amount: amount_cents, currency };
  return { ...shared, ...at, amount_cents, ...foreignCurrency({ currency }) };
}
