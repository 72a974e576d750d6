import { z } from 'zod';
import { ledgerProviderSchema, ownTransferReferenceSchema, statementLineIdSchema } from '@gateway/contracts/ledger';
import { amountMax, currencySchema, minorUnitsSchema } from '@gateway/money';
import { operatorReasonSchema } from '#src/operators/approval.ts';

/** Body of `POST /ops/own-transfers`. */
export const ownTransferRequestSchema = z
  .strictObject({
    provider: ledgerProviderSchema.describe('The live provider whose account it is.'),
    currency: currencySchema.describe('Of the account.'),
    amount_cents: minorUnitsSchema
      .min(-amountMax)
      .max(amountMax)
      .refine((amount) => amount !== 0, 'must not be 0')
      .describe('More than 0 for what came to the account, less for what was taken out of it, in the smallest unit.'),
    line_id: statementLineIdSchema.nullish().describe('The line of the statement that has it, if it is there already.'),
    reference: ownTransferReferenceSchema
      .nullish()
      .describe('Else what the line will say: an id of the transfer, or a word of its text.'),
    reason: operatorReasonSchema.describe('What was moved and why, for the operator who approves it.'),
  })
  .superRefine(({ line_id: lineId, reference }, context) => {
    if ((lineId ?? null) !== null && (reference ?? null) !== null) {
      context.addIssue({
        code: 'custom',
        path: ['reference'],
        message: 'is for a transfer whose line is not there yet',
      });
    }
    if ((lineId ?? null) === null && (reference ?? null) === null) {
      context.addIssue({ code: 'custom', path: ['reference'], message: 'is required without line_id' });
    }
  })
  .meta({ id: 'OwnTransferRequest', description: 'Money of our own that was moved at a provider.' });
export type OwnTransferRequest = z.output<typeof ownTransferRequestSchema>;
