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

const expiresInSecDefault = 86_400;

export const payerRequestSchema = z.strictObject({
  name: personNameSchema.nullish(),
  email: emailSchema.nullish(),
  phone: phoneSchema.nullish(),
  document: documentSchema.nullish(),
});

/** Body of `POST /v1/deposits` (spec 2.1, api.md 2). An optional member may also be null. */
export const depositRequestSchema = z.strictObject({
  amount_cents: amountSchema,
  external_id: externalIdSchema,
  payer: payerRequestSchema.nullish(),
  expires_in_sec: z.int().min(60).max(2_592_000).nullish(),
  /** Which URLs may be called is the webhooks service's rule. */
  callback_url: requestText(1, 2048).nullish(),
  /** Where the hosted page sends the payer back to. */
  return_url: returnUrlSchema.nullish(),
  /** What the payer pays for, as the hosted page shows it. */
  description: requestText(1, 140).nullish(),
  metadata: requestMetadataSchema.nullish(),
});
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
