import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { PayerDetails } from '@gateway/contracts/deposits';
import type { Environment } from '@gateway/contracts/values';
import type { Currency } from '@gateway/money';
import { EntityColumns } from '@gateway/persistence';

/** RECEIVED until the ledger has decided: then CREDITED, or REFUSED, which an operator has to look at. */
export type PaymentState = 'RECEIVED' | 'CREDITED' | 'REFUSED';

/** A row of `payment`; the migrations say what its columns mean. */
export const PaymentEntity = defineEntity({
  name: 'Payment',
  tableName: 'payment',
  properties: {
    environment: p.string().$type<Environment>().primary(),
    provider: p.string().primary(),
    /** The rail's id; the provider's own where the rail's is `trackingKey`. */
    e2eId: p.string().primary(),
    trackingKey: p.string().nullable(),
    accountId: p.string(),
    depositId: p.string(),
    state: p.string().$type<PaymentState>(),
    currency: p.string().$type<Currency>(),
    amount: p.bigint('number'),
    fee: p.bigint('number'),
    releaseAt: p.bigint('number').nullable(),
    payerDetails: p.json<PayerDetails>(),
    paidAt: p.datetime(3),
    attempts: p.integer(),
    nextAttemptAt: p.datetime(3).nullable(),
    refusal: p.string().nullable(),
  },
});

export type PaymentRow = Readonly<Omit<InferEntity<typeof PaymentEntity>, symbol>>;

export const paymentColumns = new EntityColumns<PaymentRow>(PaymentEntity);

/** A row of `transfer`: one of the transfers that make up a payment. */
export const TransferEntity = defineEntity({
  name: 'Transfer',
  tableName: 'transfer',
  properties: {
    environment: p.string().$type<Environment>().primary(),
    provider: p.string().primary(),
    /** As that of a payment. */
    e2eId: p.string().primary(),
    trackingKey: p.string().nullable(),
    accountId: p.string(),
    depositId: p.string(),
    currency: p.string().$type<Currency>(),
    amount: p.bigint('number'),
    payerDetails: p.json<PayerDetails>(),
    paidAt: p.datetime(3),
  },
});

export type TransferRow = Readonly<Omit<InferEntity<typeof TransferEntity>, symbol>>;
