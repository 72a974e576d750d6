import { z } from 'zod';
import type { Caller } from '#src/accounts/account.ts';
import { depositRequestSchema, readDepositRequest } from '#src/api/deposit-request.ts';
import { settlePayoutRequestSchema, settlePayoutRequestV1Schema } from '#src/api/payout-operations.ts';
import { payoutRequestSchema, readPayoutRequest } from '#src/api/payout-request.ts';
import { refundRequestSchema, refundRequestV1Schema } from '#src/api/refund-request.ts';
import { depositRequestV1Schema, readDepositRequestV1 } from '#src/api/v1/deposit-request.ts';
import { payoutRequestV1Schema, readPayoutRequestV1 } from '#src/api/v1/payout-request.ts';
import { betaBody, type FormedBody } from '#src/api/versioned.ts';
import type { createDeposit } from '#src/deposits/rpc.ts';
import type { ApiVersion } from '#src/environment.ts';
import type { RequestOf } from '#src/messages/define.ts';
import { amountSchema } from '#src/money/money.ts';
import type { createPayout } from '#src/payouts/rpc.ts';

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
  '0.1': z.object({ amount_cents: amountSchema.nullish() }).nullish(),
  '1.0': betaBody(
    z
      .object({ amount: amountSchema.nullish() })
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
