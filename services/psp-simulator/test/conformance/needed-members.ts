import type { ProviderId } from '../wire-bench.ts';

type Needed = Readonly<Record<ProviderId, readonly string[]>>;

/** Members a description calls optional without which the matter stays undecided until the next answer. */
export const neededInLookups: Needed = {
  bacen: ['GET /v2/cob/{txid} .pix', 'GET /v2/pix/{e2eid} .devolucoes', 'GET /v2/pix/{e2eid} .devolucoes[].natureza'],
  efi: ['GET /v2/cob/{txid} .pix', 'GET /v2/gn/saldo .bloqueios'],
  woovi: [
    'GET /account/{accountId} .account',
    'GET /account/{accountId} .account.balance',
    'GET /account/{accountId} .account.balance.available',
    'GET /account/{accountId} .account.balance.blocked',
    'GET /charge/{id} .charge',
    'GET /charge/{id} .charge.correlationID',
    'GET /charge/{id} .charge.status',
    'GET /dispute/{id} .dispute',
    'GET /dispute/{id} .dispute.status',
    'GET /payment/{id} .payment',
    'GET /payment/{id} .payment.correlationID',
    'GET /payment/{id} .payment.status',
    'GET /payment/{id} .payment.value',
    'GET /payment/{id} .transaction',
    'GET /payment/{id} .transaction.endToEndId',
    'GET /refund/{id} .pixTransactionRefund',
    'GET /refund/{id} .pixTransactionRefund.correlationID',
    'GET /refund/{id} .pixTransactionRefund.status',
    'GET /refund/{id} .pixTransactionRefund.value',
    'GET /transaction .transactions',
    'GET /transaction .transactions[].endToEndId',
    'GET /transaction .transactions[].time',
    'GET /transaction .transactions[].value',
    'GET /webhook .webhooks',
    'POST /charge .charge',
    'POST /charge .charge.brCode',
    'POST /charge .charge.correlationID',
    'POST /charge .charge.value',
  ],
  spei: [],
};

/** Without these an item says nothing, or is set aside; the list goes on. */
export const neededInLists: Needed = {
  bacen: ['payments: .pix', 'payments: .pix[].txid', 'returns: .pix', 'returns: .pix[].devolucoes'],
  efi: [
    'payments: .pix',
    'payments: .pix[].txid',
    'payouts: .pix[].devolucoes',
    'returns: .pix',
    'returns: .pix[].devolucoes',
  ],
  woovi: [
    'disputes: .disputes',
    'disputes: .disputes[].endToEndId',
    'disputes: .disputes[].status',
    'payments: .transactions',
    'payments: .transactions[].charge',
    'payments: .transactions[].charge.correlationID',
    'payments: .transactions[].endToEndId',
    'payments: .transactions[].time',
    'payments: .transactions[].value',
    'payouts: .transactions',
    'payouts: .transactions[].endToEndId',
    'payouts: .transactions[].time',
    'payouts: .transactions[].value',
    'payouts: .transactions[].withdraw',
    'payouts: .transactions[].withdraw.endToEndId',
  ],
  spei: [],
};

/** Without these a notification says nothing, or is set aside; lists and lookups find what it would have told. */
export const neededInNotifications: Needed = {
  bacen: ['pix: .pix', 'pix: .pix[].devolucoes', 'pix: .pix[].txid'],
  efi: ['payout: .pix[].devolucoes', 'pix: .pix', 'pix: .pix[].devolucoes', 'pix: .pix[].txid'],
  woovi: [
    'OPENPIX:CHARGE_COMPLETED: .charge',
    'OPENPIX:CHARGE_COMPLETED: .charge null',
    'OPENPIX:CHARGE_COMPLETED: .charge.correlationID',
    'OPENPIX:CHARGE_COMPLETED: .pix',
    'OPENPIX:CHARGE_COMPLETED: .pix.endToEndId',
    'OPENPIX:CHARGE_COMPLETED: .pix.time',
    'OPENPIX:CHARGE_COMPLETED: .pix.value',
    'OPENPIX:DISPUTE_CREATED: .dispute',
    'OPENPIX:DISPUTE_CREATED: .dispute.endToEndId',
    'OPENPIX:DISPUTE_CREATED: .dispute.status',
    'OPENPIX:MOVEMENT_CONFIRMED: .payment',
    'OPENPIX:MOVEMENT_CONFIRMED: .payment.correlationID',
    'OPENPIX:MOVEMENT_CONFIRMED: .transaction',
    'OPENPIX:MOVEMENT_CONFIRMED: .transaction.endToEndId',
    'OPENPIX:MOVEMENT_FAILED: .payment',
    'OPENPIX:MOVEMENT_FAILED: .payment.correlationID',
    'OPENPIX:TRANSACTION_REFUND_RECEIVED: .charge',
    'OPENPIX:TRANSACTION_REFUND_RECEIVED: .charge null',
    'OPENPIX:TRANSACTION_REFUND_RECEIVED: .charge.correlationID',
    'OPENPIX:TRANSACTION_REFUND_RECEIVED: .pix',
    'OPENPIX:TRANSACTION_REFUND_RECEIVED: .pix.endToEndId',
    'OPENPIX:TRANSACTION_REFUND_RECEIVED: .pix.time',
    'PIX_TRANSACTION_REFUND_RECEIVED_CONFIRMED: .originalTransaction',
    'PIX_TRANSACTION_REFUND_RECEIVED_CONFIRMED: .originalTransaction.endToEndId',
    'PIX_TRANSACTION_REFUND_RECEIVED_CONFIRMED: .refundTransaction',
    'PIX_TRANSACTION_REFUND_RECEIVED_CONFIRMED: .refundTransaction.endToEndId',
    'PIX_TRANSACTION_REFUND_RECEIVED_CONFIRMED: .refundTransaction.value',
    'PIX_TRANSACTION_REFUND_SENT_CONFIRMED: .originalTransaction',
    'PIX_TRANSACTION_REFUND_SENT_CONFIRMED: .originalTransaction.endToEndId',
    'PIX_TRANSACTION_REFUND_SENT_CONFIRMED: .refundTransaction',
    'PIX_TRANSACTION_REFUND_SENT_CONFIRMED: .refundTransaction.endToEndId',
    'woovi:DISPUTE_ACCEPTED: .dispute',
    'woovi:DISPUTE_ACCEPTED: .dispute.endToEndId',
    'woovi:DISPUTE_ACCEPTED: .dispute.status',
  ],
  spei: [],
};

/** The member is what is told: without it there is nothing to tell, and that is an answer. */
export const factsThemselves: ReadonlySet<string> = new Set([
  'GET /v2/pix/{e2eid} .devolucoes',
  'GET /v2/pix/{e2eid} .devolucoes[].natureza',
]);
