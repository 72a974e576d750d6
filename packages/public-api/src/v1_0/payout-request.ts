import { z } from 'zod';
import type { Caller } from '@gateway/contracts/accounts';
import { requestText, type ApiVersion } from '@gateway/contracts/values';
import type { RequestOf } from '@gateway/contracts/messages';
import { amountSchema, rails, railsOf, type Currency } from '@gateway/money';
import { payoutKeyTypeSchema, type PayoutKeyType, type createPayout } from '@gateway/contracts/payouts';
import { payoutBodySchema, recipientRequestSchema } from '#src/v0_1/payout-request.ts';
import { documentRule, readDocument, readPayoutKey } from '#src/shared/rail-rules.ts';
import { requestDocumentText } from '#src/shared/request-document.ts';
import {
  knownCurrency,
  readRail,
  requestCurrencySchema,
  requestPaymentMethodSchema,
} from '#src/shared/request-currency.ts';
import { betaBody } from '#src/shared/versioned.ts';

const keyMembers = {
  currency: requestCurrencySchema.nullish().describe('The currency of the amount; BRL when it is left out.'),
  payout_key: requestText(3, 255).describe('The key of the recipient: a PIX key or a CLABE.'),
  payout_key_type: payoutKeyTypeSchema.describe('What `payout_key` is; the key has to fit it.'),
};

const documentMembers = { currency: keyMembers.currency, recipient: z.object({ document: z.string() }) };

/** A rule runs when the members it needs are well-formed, whatever else is wrong with the body. */
const whenFits = (schema: z.ZodType) => ({
  when: ({ value }: { readonly value: unknown }) => schema.safeParse(value).success,
});

/** Body of `POST /v1/payouts` in contract 1.0 (spec 2.2, api.md 3). An optional member may also be null. */
export const payoutRequestV1Schema = betaBody(
  payoutBodySchema
    .omit({ amount_cents: true, pix_key: true, pix_key_type: true })
    .extend({
      amount: amountSchema.describe('What the recipient gets, in the smallest unit of the currency.'),
      ...keyMembers,
      payment_method: requestPaymentMethodSchema
        .nullish()
        .describe('The rail it is sent on; the usual one of the currency when it is left out.'),
      recipient: recipientRequestSchema
        .extend({
          document: requestDocumentText.describe('The tax document of the recipient, by the country of the currency.'),
        })
        .meta({ id: 'PayoutRecipientCreate', description: 'Who gets the money.' }),
    })
    .superRefine(
      (body, context) => {
        const key = readKey(knownCurrency(body.currency), body);
        if (!key.ok) context.addIssue({ code: 'custom', path: [key.path], message: key.message });
      },
      whenFits(z.object(keyMembers)),
    )
    .superRefine(
      ({ currency, recipient }, context) => {
        const known = knownCurrency(currency);
        if (readDocument(known, recipient.document) !== undefined) return;
        context.addIssue({ code: 'custom', path: ['recipient', 'document'], message: documentRule(known) });
      },
      whenFits(z.object(documentMembers)),
    )
    .meta({ id: 'PayoutCreate', description: 'A transfer to be made.' }),
);
export type PayoutRequestV1 = z.infer<typeof payoutRequestV1Schema>;

type Key =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly path: 'payout_key' | 'payout_key_type'; readonly message: string };

/** The destination in the form of its rail. For a currency without a rail it is accepted: that is refused by itself. */
function readKey(
  currency: Currency | undefined,
  { payout_key: key, payout_key_type: type }: Pick<PayoutRequestV1, 'payout_key' | 'payout_key_type'>,
): Key {
  const [rail] = currency === undefined ? [] : railsOf(currency);
  if (rail === undefined) return { ok: true, value: key };
  const types: readonly PayoutKeyType[] = rails[rail].payoutKeyTypes;
  if (!types.includes(type)) {
    return { ok: false, path: 'payout_key_type', message: `must be ${types.join(', ')} for ${currency}` };
  }
  const read = readPayoutKey(rail, type, key);
  return read.ok ? read : { ok: false, path: 'payout_key', message: read.message };
}

/**
 * The 1.0 body as the payouts service takes it.
 *
 * @param apiVersion the contract the call is answered in
 * @throws DomainError CURRENCY_NOT_SUPPORTED
 */
export function readPayoutRequestV1(
  request: PayoutRequestV1,
  caller: Caller,
  apiVersion: ApiVersion,
): RequestOf<typeof createPayout> {
  const rail = readRail(request);
  const key = readKey(rail.currency, request);
  const document = readDocument(rail.currency, request.recipient.document);
  if (!key.ok || document === undefined) throw new TypeError('the request was not checked by its schema');
  return {
    environment: caller.environment,
    account: caller.account,
    apiVersion,
    externalId: request.external_id,
    ...rail,
    amount: request.amount,
    key: key.value,
    keyType: request.payout_key_type,
    recipient: { ...request.recipient, document, phone: request.recipient.phone ?? null },
    kind: request.kind ?? 'PLAYER_PAYOUT',
    enforceOwnership: request.enforce_ownership ?? false,
    metadata: request.metadata ?? {},
  };
}
