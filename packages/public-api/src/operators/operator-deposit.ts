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
import { isoTime, minorUnits, recordId, text } from '#src/shared/members.ts';
import { pageQuery } from '#src/shared/page-query.ts';
import { documentQuerySchema } from '#src/shared/request-document.ts';
import { depositResourceSchema, payerDetailsResourceSchema } from '#src/v0_1/deposit-resource.ts';
import { presentDeposit } from '#src/presenters/v0_1.ts';

/** Query of `GET /ops/deposits`. */
export const operatorDepositsQuerySchema = z.strictObject({
  ...pageQuery('deposit'),
  ...recordQuery,
  status: depositStatusSchema.optional().describe('Only deposits in this state.'),
  payer_document: documentQuerySchema
    .optional()
    .describe('Only deposits whose payer has this document, as the merchant gave it.'),
});

/** A deposit as operators see it. */
export const operatorDepositResourceSchema = depositResourceSchema
  .extend({
    account_id: recordId('account', 'The account whose deposit it is.'),
    currency: currencySchema.describe('The currency of the amounts.'),
    payment_method: paymentMethodSchema.describe('The rail it is paid on.'),
    received_cents: minorUnits('What has arrived so far.', 0),
    provider: text('The provider that has the charge.', 'sandbox'),
    reference: text('Our reference at the provider.', 'dep01k9z3m4v6t8x0a2c4e6g8jk01'),
    provider_ref: text('The reference of the provider.', '8812345').nullable(),
    trace_id: text(
      'The W3C trace of the call that created it; null where none was recorded.',
      '4bf92f3577b34da6a3ce929d0e0e4736',
    ).nullable(),
    callback_url: text(
      'Where the events of this deposit are sent beside the webhooks.',
      'https://shop.example/callback',
    ).nullable(),
  })
  .meta({ id: 'OperatorDeposit', description: 'A deposit as operators see it.' });
export type OperatorDepositResource = z.infer<typeof operatorDepositResourceSchema>;

const arrivedShape = {
  e2e_id: text('The end-to-end id on the rail.', 'E12345678202601021004abcdef12345'),
  transfer_id: text(
    'What the provider calls it, where the id on the rail may repeat (SPEI).',
    'tr_2vF18OHZdXXxPJTLJ5qghpo1pdU',
  ).nullable(),
  provider: text('The provider it came through.', 'sandbox'),
  currency: currencySchema.describe('The currency of the amount.'),
  amount_cents: minorUnits('What arrived.'),
  payer_details: payerDetailsResourceSchema.describe('Who paid; the document is masked.'),
  paid_at: isoTime('When it was paid, by the clock of the rail.'),
};

const arrivedPaymentSchema = z
  .object({
    ...arrivedShape,
    state: receivedPaymentSchema.shape.state.describe(
      '`RECEIVED` until the ledger has decided; `REFUSED` needs an operator.',
    ),
    refusal: text('Why the ledger refused it.', 'the deposit is paid already').nullable(),
  })
  .meta({ id: 'ReceivedPayment', description: 'A payment that arrived for a deposit.' });

const arrivedTransferSchema = z
  .object(arrivedShape)
  .meta({ id: 'ReceivedTransfer', description: 'A transfer that is part of a payment.' });

/** A deposit with all that arrived for it. */
export const operatorDepositWithPaymentsSchema = operatorDepositResourceSchema
  .extend({
    payments: z.array(arrivedPaymentSchema).describe('What the deposit was paid with.'),
    transfers: z
      .array(arrivedTransferSchema)
      .describe('On SPEI: the transfers that make up the payment, oldest first.'),
  })
  .meta({ id: 'OperatorDepositWithPayments', description: 'A deposit with all that arrived for it.' });

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
    trace_id: deposit.traceId,
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

function presentArrived(transfer: ReceivedTransfer) {
  const { e2eId, transferId, provider, currency, amount, payerDetails, paidAt } = transfer;
  return {
    e2e_id: e2eId,
    transfer_id: transferId,
    provider,
    currency,
    amount_cents: amount,
    payer_details: payerDetails,
    paid_at: paidAt,
  };
}
