import { z } from 'zod';
import { externalIdSchema, requestText, environmentSchema, type ApiVersion } from '@gateway/contracts/values';
import { idSchema, currencySchema } from '@gateway/money';
import { foreignCurrency, foreignCurrencySchema } from '#src/shared/foreign-currency.ts';
import { minorUnits, objectName, recordId, text, unixSeconds } from '#src/shared/members.ts';

const amountMax = 100_000_000_000;

/** Body of `POST /ops/adjustments` (api.md 5). */
export const adjustmentRequestSchema = z
  .strictObject({
    account_id: idSchema('account').describe('The account whose balance changes.'),
    environment: environmentSchema.describe('The environment of the balance.'),
    currency: currencySchema.describe('The currency of the balance.'),
    amount_cents: z
      .int()
      .min(-amountMax)
      .max(amountMax)
      .refine((amount) => amount !== 0, 'must not be 0')
      .describe('What the available balance changes by, signed, in the smallest unit; not 0.'),
    reason: requestText(1, 500).describe('Why, for the operator who approves it.'),
    external_id: externalIdSchema.describe('Your reference; a second call with it answers with the same adjustment.'),
  })
  .meta({ id: 'AdjustmentCreate', description: 'A correction of a balance.' });
export type AdjustmentRequest = z.infer<typeof adjustmentRequestSchema>;

/** REFUSED by the ledger; REJECTED by another operator; WITHDRAWN by its proposer; EXPIRED without a decision. */
export const adjustmentStatusSchema = z
  .enum(['PROPOSED', 'APPLIED', 'REFUSED', 'REJECTED', 'WITHDRAWN', 'EXPIRED'])
  .meta({
    id: 'AdjustmentStatus',
    description:
      '`REFUSED`: by the ledger. `REJECTED`: by another operator. `WITHDRAWN`: by its proposer. `EXPIRED`: not decided in time.',
  });

/** A correction of a balance by two operators (api.md 5). */
export const adjustmentResourceSchema = z
  .object({
    id: recordId('adjustment', 'The id of the adjustment.'),
    object: objectName('adjustment'),
    account_id: recordId('account', 'The account whose balance changes.'),
    environment: environmentSchema.describe('The environment of the balance.'),
    currency: currencySchema.describe('The currency of the balance.'),
    amount_cents: minorUnits('What the available balance changes by, signed.', -250),
    reason: text('Why it was proposed.', 'a charge was credited twice'),
    external_id: text('The reference of the proposing call.', 'case-77'),
    status: adjustmentStatusSchema.describe('What has become of it.'),
    proposed_by: text('The operator who proposed it.', 'ana'),
    approved_by: text('The operator who approved it.', 'bruno').nullable(),
    created_at: unixSeconds('When it was proposed.'),
    decided_at: unixSeconds('When it was decided; null while it is proposed.').nullable(),
  })
  .meta({ id: 'Adjustment', description: 'A correction of a balance by two operators.' });
export type AdjustmentResource = z.infer<typeof adjustmentResourceSchema>;

/** What a merchant reads of a correction that was carried out: the record behind a line of the statement. */
const appliedBefore = z
  .object({
    id: recordId('adjustment', 'The id of the adjustment.'),
    object: objectName('adjustment'),
    amount_cents: minorUnits('What the available balance changed by, signed.', -250),
    currency: foreignCurrencySchema,
    status: z.literal('APPLIED').describe('Always `APPLIED`: others are not shown.'),
    environment: environmentSchema.describe('The environment of the balance.'),
    applied_at: unixSeconds('When it was carried out.'),
  })
  .meta({ id: 'AppliedAdjustment', description: 'A correction of the balance that was carried out.' });
const appliedBeta = appliedBefore
  .omit({ amount_cents: true })
  .extend({
    amount: minorUnits('What the available balance changed by, signed.', -250),
    currency: currencySchema.describe('The currency of the amount.'),
  })
  .meta({ id: 'AppliedAdjustment', description: 'A correction of the balance that was carried out.' });

export const appliedAdjustmentSchema = { '0.1': appliedBefore, '1.0': appliedBeta } as const;

/** Neither who decided it nor what they noted: that is between operators. */
export function presentAppliedAdjustment(
  adjustment: Pick<
    AdjustmentResource,
    'id' | 'amount_cents' | 'currency' | 'environment' | 'created_at' | 'decided_at'
  >,
  version: ApiVersion,
): z.infer<typeof appliedBefore> | z.infer<typeof appliedBeta> {
  const { id, amount_cents, currency, environment, created_at, decided_at } = adjustment;
  const shared = { id, object: 'adjustment', status: 'APPLIED', environment } as const;
  const at = { applied_at: decided_at ?? created_at };
  if (version === '1.0') return { ...shared, ...at, amount: amount_cents, currency };
  return { ...shared, ...at, amount_cents, ...foreignCurrency({ currency }) };
}
