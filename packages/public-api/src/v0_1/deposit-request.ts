import { z } from 'zod';
import type { Caller } from '@gateway/contracts/accounts';
import {
  emailSchema,
  externalIdSchema,
  personNameSchema,
  phoneSchema,
  requestMetadataSchema,
  requestText,
  returnUrlSchema,
  type ApiVersion,
} from '@gateway/contracts/values';
import type { createDeposit } from '@gateway/contracts/deposits';
import type { RequestOf } from '@gateway/contracts/messages';
import { amountSchema } from '@gateway/money';
import { documentSchema } from '#src/shared/request-document.ts';
import { requestUrl } from '#src/shared/request-url.ts';

const expiresInSecDefault = 86_400;

export const payerRequestSchema = z
  .strictObject({
    name: personNameSchema.nullish().describe('The full name of the payer.'),
    email: emailSchema.nullish().describe('The e-mail address of the payer.'),
    phone: phoneSchema.nullish().describe('The phone number of the payer, with country code.'),
    document: documentSchema.nullish().describe('The CPF or CNPJ of the payer, with or without punctuation.'),
  })
  .meta({ id: 'PayerCreate', description: 'What is known of the payer; each member may be left out.' });

/** Body of `POST /v1/deposits` (spec 2.1, api.md 2). An optional member may also be null. */
export const depositRequestSchema = z
  .strictObject({
    amount_cents: amountSchema.describe('What the payer is charged, in cents.'),
    external_id: externalIdSchema.describe('Your reference; a second call with it answers with the same deposit.'),
    payer: payerRequestSchema.nullish().describe('What is known of the payer.'),
    expires_in_sec: z
      .int()
      .min(60)
      .max(2_592_000)
      .nullish()
      .describe('For how many seconds it can be paid; a day when it is left out.'),
    // Which URLs may be called is the webhooks service's rule.
    callback_url: requestUrl(
      'Where the events of this deposit are sent besides, signed with the callback secret of the account.',
    ).nullish(),
    return_url: returnUrlSchema
      .nullish()
      .describe('Where the hosted page sends the payer back to: https.')
      .meta({ format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?:', examples: ['https://shop.example/thanks'] }),
    description: requestText(1, 140).nullish().describe('What the payer pays for, as the hosted page shows it.'),
    metadata: requestMetadataSchema.nullish().describe('Up to 20 pairs of your own, returned as given.'),
  })
  .meta({ id: 'DepositCreate', description: 'A charge to be made.' });
export type DepositRequest = z.infer<typeof depositRequestSchema>;

/** The 0.1 body as the deposits service takes it: PIX in BRL. */
export function readDepositRequest(
  request: DepositRequest,
  caller: Caller,
  apiVersion: ApiVersion,
): RequestOf<typeof createDeposit> {
  const { payer } = request;
  return {
    ...requestOfEveryContract(request, caller, apiVersion),
    currency: 'BRL',
    paymentMethod: 'PIX',
    amount: request.amount_cents,
    payer: payer
      ? {
          name: payer.name ?? null,
          email: payer.email ?? null,
          phone: payer.phone ?? null,
          document: payer.document ?? null,
        }
      : null,
  };
}

/** The members of a body that are read alike in every contract. */
export function requestOfEveryContract(
  request: Pick<
    DepositRequest,
    'external_id' | 'expires_in_sec' | 'callback_url' | 'return_url' | 'description' | 'metadata'
  >,
  caller: Caller,
  apiVersion: ApiVersion,
) {
  return {
    environment: caller.environment,
    account: caller.account,
    apiVersion,
    externalId: request.external_id,
    expiresInSec: request.expires_in_sec ?? expiresInSecDefault,
    callbackUrl: request.callback_url ?? null,
    returnUrl: request.return_url ?? null,
    description: request.description ?? null,
    metadata: request.metadata ?? {},
  };
}
