import { z } from 'zod';
import { amountSchema, currencySchema } from '@gateway/money';
import { depositSchema, depositStatusSchema, payerDetailsSchema } from '#src/deposits/deposit.ts';
import { defineRpc } from '#src/messages/define.ts';
import { recordFilter } from '#src/values/record-filter.ts';
import { requestText } from '#src/values/request-text.ts';

/** A deposit with what only operators see of it. */
export const operatorDepositSchema = depositSchema.extend({
  provider: z.string(),
  /** Our reference at the provider. */
  reference: z.string(),
  providerRef: z.string().nullable(),
  /** W3C trace id of the call that created it; null where none was recorded. */
  traceId: z.string().nullable().default(null),
});
export type OperatorDeposit = z.infer<typeof operatorDepositSchema>;

/** Money that arrived for a deposit. */
export const receivedPaymentSchema = z.object({
  e2eId: z.string(),
  /** What the provider calls it, where `e2eId` may repeat. */
  transferId: z.string().nullable().default(null),
  provider: z.string(),
  /** RECEIVED until the ledger has decided; REFUSED needs an operator. */
  state: z.enum(['RECEIVED', 'CREDITED', 'REFUSED']),
  currency: currencySchema,
  amount: amountSchema,
  payerDetails: payerDetailsSchema,
  /** Why the ledger refused it. */
  refusal: z.string().nullable(),
  /** ISO 8601 UTC with milliseconds. */
  paidAt: z.string(),
});
export type ReceivedPayment = z.infer<typeof receivedPaymentSchema>;

/** One of the transfers that a payment is made up of, where the payer types the amount. */
export const receivedTransferSchema = receivedPaymentSchema.omit({ state: true, refusal: true });
export type ReceivedTransfer = z.infer<typeof receivedTransferSchema>;

/** A page of the deposits of all accounts, newest first. An unknown cursor is a VALIDATION_ERROR naming `cursor`. */
export const listOperatorDeposits = defineRpc({
  subject: 'rpc.deposits.list-operator-deposits.v1',
  owner: 'deposits',
  request: z.object({
    limit: z.int().min(1).max(200),
    cursor: z.string().optional(),
    ...recordFilter,
    status: depositStatusSchema.optional(),
    /** CPF, CNPJ or RFC that the merchant gave for the payer. */
    payerDocument: requestText(1, 20).optional(),
  }),
  reply: z.object({ deposits: z.array(operatorDepositSchema), nextCursor: z.string().nullable() }),
});

/** A deposit of any account with all that arrived for it. */
export const getOperatorDeposit = defineRpc({
  subject: 'rpc.deposits.get-operator-deposit.v1',
  owner: 'deposits',
  request: z.object({ id: z.string() }),
  reply: z.object({
    deposit: operatorDepositSchema,
    payments: z.array(receivedPaymentSchema),
    transfers: z.array(receivedTransferSchema),
  }),
});
