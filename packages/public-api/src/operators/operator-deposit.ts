import { z } from 'zod';
import {
  depositStatusSchema,
  receivedPaymentSchema,
  type OperatorDeposit,
  type ReceivedPayment,
  type ReceivedTransfer,
} from '@gateway/contracts/deposits';
import { currencySchema, paymentMethodSchema } from '@gateway/money';
import { recordQuery } from '#src/operators/record-query.ts';
import { pageQuery } from '#src/shared/page-query.ts';
import { documentQuerySchema } from '#src/shared/request-document.ts';
import { depositResourceSchema, presentDeposit } from '#src/v0_1/deposit-resource.ts';

/** Query of `GET /ops/deposits`. */
export const operatorDepositsQuerySchema = z.strictObject({
  ...pageQuery('deposit'),
  ...recordQuery,
  status: depositStatusSchema.optional(),
  payer_document: documentQuerySchema.optional().describe('the document that the merchant gave for the payer'),
});

/** A deposit as operators see it. */
export const operatorDepositResourceSchema = depositResourceSchema.extend({
  account_id: z.string().describe('the account whose deposit it is'),
  currency: currencySchema.describe('the currency of its amounts'),
  payment_method: paymentMethodSchema.describe('the rail it is paid on'),
  received_cents: z.int().describe('what has arrived so far'),
  provider: z.string().describe('the provider that has the charge'),
  reference: z.string().describe('our reference at the provider'),
  provider_ref: z.string().nullable().describe('the reference of the provider'),
  callback_url: z.string().nullable().describe('where the events of this deposit are sent beside the webhooks'),
});
export type OperatorDepositResource = z.infer<typeof operatorDepositResourceSchema>;

const arrivedShape = {
  e2e_id: z.string().describe('the end-to-end id on the rail'),
  provider: z.string().describe('the provider it came through'),
  currency: currencySchema.describe('the currency of its amount'),
  amount_cents: z.int().describe('minor units'),
  payer_details: depositResourceSchema.shape.payer_details.unwrap().describe('who paid; the document is masked'),
  paid_at: z.string().describe('ISO 8601, by the clock of the rail'),
};

/** A deposit with all that arrived for it. */
export const operatorDepositWithPaymentsSchema = operatorDepositResourceSchema.extend({
  payments: z
    .array(
      z.object({
        ...arrivedShape,
        state: receivedPaymentSchema.shape.state.describe(
          'RECEIVED until the ledger has decided; REFUSED needs an operator',
        ),
        refusal: z.string().nullable().describe('why the ledger refused it'),
      }),
    )
    .describe('what the deposit was paid with'),
  transfers: z.array(z.object(arrivedShape)).describe('on SPEI: the transfers that make up the payment, oldest first'),
});

export function presentOperatorDeposit(deposit: OperatorDeposit): OperatorDepositResource {
  return {
    ...presentDeposit(deposit),
    account_id: deposit.accountId,
    currency: deposit.currency,
    payment_method: deposit.paymentMethod,
    received_cents: deposit.received,
    provider: deposit.provider,
    reference: deposit.reference,
    provider_ref: deposit.providerRef,
    callback_url: deposit.callbackUrl,
  };
}

export function presentOperatorDepositWithPayments(found: {
  readonly deposit: OperatorDeposit;
  readonly payments: readonly ReceivedPayment[];
  readonly transfers: readonly ReceivedTransfer[];
}): z.infer<typeof operatorDepositWithPaymentsSchema> {
  return {
    ...presentOperatorDeposit(found.deposit),
    payments: found.payments.map(({ state, refusal, ...payment }) => ({ ...presentArrived(payment), state, refusal })),
    transfers: found.transfers.map(presentArrived),
  };
}

function presentArrived({ e2eId, provider, currency, amount, payerDetails, paidAt }: ReceivedTransfer) {
  return { e2e_id: e2eId, provider, currency, amount_cents: amount, payer_details: payerDetails, paid_at: paidAt };
}
