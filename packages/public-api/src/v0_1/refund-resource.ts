import { z } from 'zod';
import { refundStatusSchema } from '@gateway/contracts/deposits';
import { environmentSchema } from '@gateway/contracts/values';
import { foreignCurrencySchema } from '#src/shared/foreign-currency.ts';
import { isoTime, minorUnits, objectName, recordId, text, unixSeconds } from '#src/shared/members.ts';

/** A refund as contract 0.1 shows it (api.md 2); every member is always present. */
export const refundResourceSchema = z
  .object({
    id: recordId('refund', 'The id of the refund.'),
    object: objectName('refund'),
    deposit_id: recordId('deposit', 'The id of the deposit whose money goes back.'),
    external_id: text("The merchant's own reference, from the creating call.", 'refund-1001'),
    status: refundStatusSchema.describe('What has become of the refund.'),
    amount_cents: minorUnits('What goes back to the payer.', 990),
    currency: foreignCurrencySchema,
    reason: text("The merchant's words to the payer.", 'item missing').nullable(),
    return_id: text(
      'The id of the return on its rail, once it is done.',
      'D12345678202601031004abcdef12345',
    ).nullable(),
    failure_reason: text('Why it failed, as a word to act upon.', 'rejected_by_bank').nullable(),
    failure_message: text(
      'The same for people, in the language of `Accept-Language`: `pt`, `es` or `en`.',
      'The bank of the payer refused it.',
    ).nullable(),
    environment: environmentSchema.describe('The environment of the deposit.'),
    created_at: unixSeconds('When it was created.', 1_767_434_000),
    finished_at: isoTime('When it was done or failed; null before.', '2026-01-03T10:04:37.250Z').nullable(),
  })
  .meta({ id: 'Refund', description: 'Money of a deposit that goes back to its payer.' });
export type RefundResource = z.infer<typeof refundResourceSchema>;
