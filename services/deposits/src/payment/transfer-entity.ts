import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { PayerDetails } from '@gateway/contracts/deposits';
import type { Environment } from '@gateway/contracts/values';
import type { Currency } from '@gateway/money';

/** A row of `transfer`: one of the transfers that make up a payment. */
export const TransferEntity = defineEntity({
  name: 'Transfer',
  tableName: 'transfer',
  properties: {
    environment: p.string().$type<Environment>().primary(),
    provider: p.string().primary(),
    e2eId: p.string().primary(),
    accountId: p.string(),
    depositId: p.string(),
    currency: p.string().$type<Currency>(),
    amount: p.bigint('number'),
    payerDetails: p.json<PayerDetails>(),
    paidAt: p.datetime(3),
  },
});

export type TransferRow = Readonly<Omit<InferEntity<typeof TransferEntity>, symbol>>;
