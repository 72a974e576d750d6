import type { Repair } from './description.ts';

/** Where Woovi's description contradicts itself, its examples or its notifications. */
export const wooviRepairs: readonly Repair[] = [
  {
    where: 'Transaction.type, Transaction.status',
    fault: "each has the other's words, against examples, notifications and the query",
    repaired: 'exchanged, and `type` has every word the query may ask for',
    allows: {
      ...{ call: 'GET /api/v1/transaction', status: 200 },
      body: { transactions: [{ type: 'REVERSAL', status: 'CONFIRMED' }] },
    },
  },
  {
    where: 'POST /charge customer',
    fault: 'exactly one of three forms, where one with a document, an address and a telephone number fits them all',
    repaired: 'any of them',
    allows: {
      call: 'POST /api/v1/charge',
      body: { correlationID: 'c', value: 1, customer: { name: 'n', taxID: 't', email: 'e', phone: 'p' } },
    },
  },
  {
    ...{ where: 'Payment.status', fault: 'lacks APPROVED, which its examples have', repaired: 'added' },
    allows: { call: 'GET /api/v1/payment/p', status: 200, body: { payment: { status: 'APPROVED' } } },
  },
  {
    where: 'GET /webhook pageInfo',
    fault: 'lacks the members of its own example',
    repaired: 'as on every other list',
    allows: { call: 'GET /api/v1/webhook', status: 200, body: { webhooks: [], pageInfo: { hasNextPage: false } } },
  },
  {
    ...{ where: 'Charge.expiresIn', fault: 'a text; a number in every example', repaired: 'either' },
    allows: { call: 'GET /api/v1/charge/c', status: 200, body: { charge: { expiresIn: 2_592_000 } } },
  },
  {
    ...{ where: 'Dispute.value of the lookup', fault: 'a text; a number in its example', repaired: 'either' },
    allows: { call: 'GET /api/v1/dispute/E1', status: 200, body: { dispute: { value: 100 } } },
  },
  {
    where: 'GET /refund/{id} returnIdentification',
    fault: 'in the example and not in the schema',
    repaired: 'described',
    allows: {
      ...{ call: 'GET /api/v1/refund/r', status: 200 },
      body: { pixTransactionRefund: { returnIdentification: 'D1' } },
    },
  },
  {
    where: 'disputes in notifications',
    fault: 'registered as OPENPIX:DISPUTE_*, sent as woovi:DISPUTE_* by the published bodies',
    repaired: 'either may come',
    allows: { kind: 'woovi:DISPUTE_ACCEPTED', body: { event: 'woovi:DISPUTE_ACCEPTED', dispute: {} } },
  },
  {
    where: 'PIX_TRANSACTION_REFUND_RECEIVED_CONFIRMED',
    fault: 'the published body is of a payment received that was sent back',
    repaired: 'of a payment sent, `originalTransaction.type` is WITHDRAW as in that of the rejected one',
    allows: {
      kind: 'PIX_TRANSACTION_REFUND_RECEIVED_CONFIRMED',
      body: { event: 'PIX_TRANSACTION_REFUND_RECEIVED_CONFIRMED', originalTransaction: { type: 'WITHDRAW' } },
    },
  },
  {
    ...{ where: 'POST /dispute/:id/evidence', fault: 'its parameter is written unlike all others', repaired: '{id}' },
    allows: { call: 'POST /api/v1/dispute/d/evidence', body: { documents: [{ url: 'u' }] } },
  },
];
