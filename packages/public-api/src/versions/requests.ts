import { z } from 'zod';
import type { Caller } from '@gateway/contracts/accounts';
import type { createDeposit } from '@gateway/contracts/deposits';
import type { ApiVersion } from '@gateway/contracts/values';
import type { RequestOf } from '@gateway/contracts/messages';
import { amountSchema } from '@gateway/money';
import type { createPayout } from '@gateway/contracts/payouts';
import { depositRequestSchema, readDepositRequest } from '#src/v0_1/deposit-request.ts';
import { settlePayoutRequestSchema, settlePayoutRequestV1Schema } from '#src/operators/payout-operations.ts';
import { payoutRequestSchema, readPayoutRequest } from '#src/v0_1/payout-request.ts';
import { refundRequestSchema, refundRequestV1Schema } from '#src/v0_1/refund-request.ts';
import { depositRequestV1Schema, readDepositRequestV1 } from '#src/v1_0/deposit-request.ts';
import { payoutRequestV1Schema, readPayoutRequestV1 } from '#src/v1_0/payout-request.ts';
import { betaBody, type FormedBody } from '#src/shared/versioned.ts';

/** Body of `POST /v1/deposits`. */
export const depositRequests = { '0.1': depositRequestSchema, '1.0': depositRequestV1Schema } as const;

/** Body of `POST /v1/payouts`. */
export const payoutRequests = { '0.1': payoutRequestSchema, '1.0': payoutRequestV1Schema } as const;

/** Body of `POST /v1/deposits/{id}/refunds`. */
export const refundRequests = { '0.1': refundRequestSchema, '1.0': refundRequestV1Schema } as const;

/** Body of `POST /v1/test/payouts/{id}/settle`. */
export const settlePayoutRequests = { '0.1': settlePayoutRequestSchema, '1.0': settlePayoutRequestV1Schema } as const;

/** Body of the test operations that take nothing but an amount; it may be left out. */
export const amountRequests = {
  '0.1': z
    .strictObject({
      amount_cents: amountSchema.nullish().describe('The amount, in cents; the whole when it is left out.'),
    })
    .meta({ id: 'TestAmount', description: 'An amount other than the whole.' })
    .nullish(),
  '1.0': betaBody(
    z
      .strictObject({
        amount: amountSchema.nullish().describe('The amount, in the smallest unit; the whole when it is left out.'),
      })
      .meta({ id: 'TestAmount', description: 'An amount other than the whole.' })
      .transform(({ amount }) => ({ amount_cents: amount }))
      .nullish(),
  ),
} as const;

/**
 * The body of either contract as the deposits service takes it.
 *
 * @param apiVersion the contract the call is answered in
 * @throws DomainError CURRENCY_NOT_SUPPORTED
 */
export function readDepositOf(
  body: FormedBody<typeof depositRequests>,
  caller: Caller,
  apiVersion: ApiVersion,
): RequestOf<typeof createDeposit> {
  if (body.form === '1.0') return readDepositRequestV1(body.value, caller, apiVersion);
  return readDepositRequest(body.value, caller, apiVersion);
}

/** As `readDepositOf`, for the payouts service. */
export function readPayoutOf(
  body: FormedBody<typeof payoutRequests>,
  caller: Caller,
  apiVersion: ApiVersion,
): RequestOf<typeof createPayout> {
  if (body.form === '1.0') return readPayoutRequestV1(body.value, caller, apiVersion);
  return readPayoutRequest(body.value, caller, apiVersion);
}
