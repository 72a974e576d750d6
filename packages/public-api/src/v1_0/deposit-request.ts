import { z } from 'zod';
import type { Caller } from '@gateway/contracts/accounts';
import type { createDeposit } from '@gateway/contracts/deposits';
import type { ApiVersion } from '@gateway/contracts/values';
import type { RequestOf } from '@gateway/contracts/messages';
import { amountSchema } from '@gateway/money';
import { depositRequestSchema, payerRequestSchema, requestOfEveryContract } from '#src/v0_1/deposit-request.ts';
import { betaBody } from '#src/shared/versioned.ts';
import { documentRule, readDocument } from '#src/shared/rail-rules.ts';
import { requestDocumentText } from '#src/shared/request-document.ts';
import {
  knownCurrency,
  readRail,
  requestCurrencySchema,
  requestPaymentMethodSchema,
} from '#src/shared/request-currency.ts';

const currencyMembers = {
  currency: requestCurrencySchema.nullish().describe('The currency of the amount; BRL when it is left out.'),
  payment_method: requestPaymentMethodSchema
    .nullish()
    .describe('The rail it is paid on; the usual one of the currency when it is left out.'),
};

/** Which kind of document it has to be depends on the currency. */
const payerSchema = payerRequestSchema
  .extend({
    document: requestDocumentText.nullish().describe('The tax document of the payer, by the country of the currency.'),
  })
  .meta({ id: 'PayerCreate', description: 'What is known of the payer; each member may be left out.' });

/** The members that a payer's document is checked by, whatever else is wrong with the body. */
const documentMembersSchema = z.object({
  currency: currencyMembers.currency,
  payer: z.object({ document: z.string() }),
});

/** Body of `POST /v1/deposits` in contract 1.0 (spec 2.1, api.md 3). An optional member may also be null. */
export const depositRequestV1Schema = betaBody(
  depositRequestSchema
    .omit({ amount_cents: true })
    .extend({
      amount: amountSchema.describe('What the payer is charged, in the smallest unit of the currency.'),
      ...currencyMembers,
      payer: payerSchema.nullish().describe('What is known of the payer.'),
    })
    .meta({ id: 'DepositCreate', description: 'A charge to be made.' })
    .superRefine(
      ({ currency, payer }, context) => {
        const known = knownCurrency(currency);
        if (readDocument(known, payer?.document ?? '') !== undefined) return;
        context.addIssue({ code: 'custom', path: ['payer', 'document'], message: documentRule(known) });
      },
      { when: ({ value }) => documentMembersSchema.safeParse(value).success },
    ),
);
export type DepositRequestV1 = z.infer<typeof depositRequestV1Schema>;

/**
 * The 1.0 body as the deposits service takes it.
 *
 * @param apiVersion the contract the call is answered in
 * @throws DomainError CURRENCY_NOT_SUPPORTED
 */
export function readDepositRequestV1(
  request: DepositRequestV1,
  caller: Caller,
  apiVersion: ApiVersion,
): RequestOf<typeof createDeposit> {
  const { payer } = request;
  const rail = readRail(request);
  return {
    ...requestOfEveryContract(request, caller, apiVersion),
    ...rail,
    amount: request.amount,
    payer: payer
      ? {
          name: payer.name ?? null,
          email: payer.email ?? null,
          phone: payer.phone ?? null,
          document: payer.document ? (readDocument(rail.currency, payer.document) ?? null) : null,
        }
      : null,
  };
}
