import { z } from 'zod';
import { pixKeyTypes } from '@gateway/pix';
import type { Caller } from '@gateway/contracts/accounts';
import {
  externalIdSchema,
  optionalEmailSchema,
  personNameSchema,
  phoneSchema,
  requestMetadataSchema,
  requestText,
  type ApiVersion,
} from '@gateway/contracts/values';
import type { RequestOf } from '@gateway/contracts/messages';
import { amountSchema } from '@gateway/money';
import { payoutKindSchema, type createPayout } from '@gateway/contracts/payouts';
import { readPayoutKey } from '#src/shared/rail-rules.ts';
import { documentSchema } from '#src/shared/request-document.ts';

const pixKeySchema = requestText(3, 255);
const pixKeyTypeSchema = z.enum(pixKeyTypes).meta({ id: 'PixKeyType', description: 'The types of PIX key.' });

/** Whom a payout goes to. */
export const recipientRequestSchema = z
  .strictObject({
    name: personNameSchema.describe('The full name of the recipient.'),
    document: documentSchema.describe('The CPF or CNPJ of the recipient, with or without punctuation.'),
    email: optionalEmailSchema.describe('The e-mail address of the recipient; a malformed one is dropped.'),
    phone: phoneSchema.nullish().describe('The phone number of the recipient, with country code.'),
  })
  .meta({ id: 'PayoutRecipientCreate', description: 'Who gets the money.' });

export const payoutBodySchema = z.strictObject({
  amount_cents: amountSchema.describe('What the recipient gets, in cents.'),
  external_id: externalIdSchema.describe('Your reference; a second call with it answers with the same payout.'),
  pix_key: pixKeySchema.describe('The PIX key of the recipient.'),
  pix_key_type: pixKeyTypeSchema.describe('What `pix_key` is; the key has to fit it.'),
  recipient: recipientRequestSchema,
  kind: payoutKindSchema.nullish().describe('What the payout is for; `PLAYER_PAYOUT` when it is left out.'),
  enforce_ownership: z
    .boolean()
    .nullish()
    .describe('Whether the provider is to refuse a key whose holder is not `recipient.document`; false when left out.'),
  metadata: requestMetadataSchema.nullish().describe('Up to 20 pairs of your own, returned as given.'),
});

/** Key and type, each well-formed, whatever else is wrong with the body: then it is also checked that they fit. */
const keyMembersSchema = z.object({ pix_key: pixKeySchema, pix_key_type: pixKeyTypeSchema });

/** Body of `POST /v1/payouts` (spec 2.2, api.md 2). An optional member may also be null. */
export const payoutRequestSchema = payoutBodySchema
  .superRefine(
    ({ pix_key, pix_key_type }, context) => {
      const key = readPayoutKey('PIX', pix_key_type, pix_key);
      if (!key.ok) context.addIssue({ code: 'custom', path: ['pix_key'], message: key.message });
    },
    { when: ({ value }) => keyMembersSchema.safeParse(value).success },
  )
  .meta({ id: 'PayoutCreate', description: 'A transfer to be made.' });
export type PayoutRequest = z.infer<typeof payoutRequestSchema>;

/** The 0.1 body as the payouts service takes it: PIX in BRL, the key in DICT's form. */
export function readPayoutRequest(
  request: PayoutRequest,
  caller: Caller,
  apiVersion: ApiVersion,
): RequestOf<typeof createPayout> {
  const key = readPayoutKey('PIX', request.pix_key_type, request.pix_key);
  if (!key.ok) throw new TypeError('the request was not checked by its schema');
  return {
    environment: caller.environment,
    account: caller.account,
    apiVersion,
    externalId: request.external_id,
    currency: 'BRL',
    paymentMethod: 'PIX',
    amount: request.amount_cents,
    key: key.value,
    keyType: request.pix_key_type,
    recipient: { ...request.recipient, phone: request.recipient.phone ?? null },
    kind: request.kind ?? 'PLAYER_PAYOUT',
    enforceOwnership: request.enforce_ownership ?? false,
    metadata: request.metadata ?? {},
  };
}
