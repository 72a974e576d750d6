import { z } from 'zod';
import { externalIdSchema, requestText } from '@gateway/contracts/values';
import { amountSchema } from '@gateway/money';
import { betaBody } from '#src/shared/versioned.ts';

/** PIX carries at most this much text with a return (BACEN Pix API 2.9, `descricao`). */
const reasonCharactersMax = 140;

/** Body of `POST /v1/deposits/{id}/refunds` (api.md 2); without an amount, everything that is left of the deposit. */
export const refundRequestSchema = z.strictObject({
  amount_cents: amountSchema.nullish(),
  external_id: externalIdSchema,
  reason: requestText(1, reasonCharactersMax).nullish(),
});

/** The same in contract 1.0: `amount`. */
export const refundRequestV1Schema = betaBody(
  refundRequestSchema
    .omit({ amount_cents: true })
    .extend({ amount: amountSchema.nullish() })
    .transform(({ amount, ...members }) => ({ ...members, amount_cents: amount })),
);
