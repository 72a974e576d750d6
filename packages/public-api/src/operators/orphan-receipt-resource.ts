import { z } from 'zod';
import {
  orphanReceiptSchema,
  orphanReceiptStateSchema,
  type OrphanReceipt,
  returnAttentionSchema,
  returnOutcomeSchema,
} from '@gateway/contracts/deposits';
import { idSchema } from '@gateway/money';
import { recordQuery } from '#src/operators/record-query.ts';
import { count, isoTime, minorUnits, objectName, recordId, text } from '#src/shared/members.ts';
import { attentionFlag, pageQuery } from '#src/shared/page-query.ts';
import { presentReturnResolution, returnResolutionResourceSchema } from '#src/operators/operator-refund.ts';

/** An orphan receipt as operators see it. */
export const orphanReceiptResourceSchema = z
  .object({
    id: recordId('refund', 'The id of the receipt.'),
    object: objectName('orphan_receipt'),
    environment: orphanReceiptSchema.shape.environment.describe('The environment of the deposit.'),
    account_id: recordId('account', 'The account of the deposit.'),
    deposit_id: recordId('deposit', 'The deposit that it was meant for.'),
    provider: text('The provider that received it.', 'sandbox'),
    e2e_id: text('The id of the payment on its rail.', 'E12345678202601021004abcdef12345'),
    transfer_id: text(
      'What the provider calls it, where the id on the rail may repeat (SPEI).',
      'tr_2vF18OHZdXXxPJTLJ5qghpo1pdU',
    ).nullable(),
    cause: orphanReceiptSchema.shape.cause.describe('Why the deposit could not take it.'),
    state: orphanReceiptStateSchema.describe('What has become of it.'),
    currency: orphanReceiptSchema.shape.currency.describe('The currency of the amount.'),
    amount_cents: minorUnits('What was received.'),
    attempts: count('How often the provider was asked to send it back.'),
    failure: text('Why the provider refused to.', 'the account is closed').nullable(),
    return_id: text('The id of the return on its rail.', 'D12345678202601031004abcdef12345').nullable(),
    paid_at: isoTime('When it was received.'),
    attention_at: isoTime('Since when it takes an operator to go on; null when it does not.').nullable(),
    attention: returnAttentionSchema.nullable().describe('Why it takes an operator.'),
    resolution: returnResolutionResourceSchema.nullable().describe('What two operators say became of it.'),
    outcomes: z.array(returnOutcomeSchema).describe('What two operators may state of it as it is.'),
  })
  .meta({ id: 'OrphanReceipt', description: 'Money that belongs to no deposit.' });
export type OrphanReceiptResource = z.infer<typeof orphanReceiptResourceSchema>;

export const orphanReceiptsQuerySchema = z.strictObject({
  ...pageQuery('refund'),
  ...recordQuery,
  external_id: recordQuery.external_id.describe('Only receipts that were meant for the deposit with this reference.'),
  e2e_id: recordQuery.e2e_id.describe(
    'Only the receipt with this end-to-end id of the payment, or with this id of its return.',
  ),
  state: orphanReceiptStateSchema.optional().describe('Only receipts in this state.'),
  status: orphanReceiptStateSchema.optional().describe('The same as `state`, as other lists name it.'),
  deposit_id: idSchema('deposit').optional().describe('Only receipts that were meant for this deposit.'),
  attention: attentionFlag,
});

export function presentOrphanReceipt(receipt: OrphanReceipt): OrphanReceiptResource {
  const { id, environment, provider, cause, state, currency, attempts, failure } = receipt;
  return {
    id,
    object: 'orphan_receipt',
    environment,
    account_id: receipt.accountId,
    deposit_id: receipt.depositId,
    provider,
    e2e_id: receipt.e2eId,
    transfer_id: receipt.transferId,
    cause,
    state,
    currency,
    amount_cents: receipt.amount,
    attempts,
    failure,
    return_id: receipt.returnId,
    paid_at: receipt.paidAt,
    attention_at: receipt.attentionAt,
    attention: receipt.attention,
    resolution: receipt.resolution && presentReturnResolution(receipt.resolution),
    outcomes: receipt.outcomes,
  };
}
