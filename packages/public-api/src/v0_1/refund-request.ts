import { z } from 'zod';
import { externalIdSchema, requestText } from '@gateway/contracts/values';
import { amountSchema } from '@gateway/money';
import { betaBody } from '#src/shared/versioned.ts';

/** PIX carries at most this much text with a return (BACEN Pix API 2.9, `descricao`). */
const reasonCharactersMax = 140;

/** Body of `POST /v1/deposits/{id}/refunds` (api.md 2); without an amount, everything that is left of the deposit. */
export const refundRequestSchema = z
  .strictObject({
    amount_cents: amountSchema.nullish().describe('What goes back, in cents; all that is left when it is left out.'),
    external_id: externalIdSchema.describe('Your reference; a second call with it answers with the same refund.'),
    reason: requestText(1, reasonCharactersMax).nullish().describe('Words to the payer.'),
  })
  .meta({ id: 'RefundCreate', description: 'Money to be sent back to a payer.' });

/** The same in contract 1.0: `amount`. */
export const refundRequestV1Schema = betaBody(
  refundRequestSchema
    .omit({ amount_cents: true })
    .extend({
      amount: amountSchema
        .nullish()
        .describe('What goes back, in the smallest unit; all that is left when it is left out.'),
    })
    .meta({ id: 'RefundCreate', description: 'Money to be sent back to a payer.' })
    .transform(({ amount, ...members }) => ({ ...members, amount_cents: amount })),
);
