import { operationOf, schemaOf, type Description, type Facts, type OperationFacts } from './description.ts';
import { wooviNotifications } from './woovi-notifications.ts';
import { charge, parties, person, webhookEvents } from './woovi-parts.ts';
import { wooviRepairs } from './woovi-repairs.ts';

/*
 * Woovi's interface as its description of August 2026 has it: names, types, words and statuses of what is used here. Where
 * the description contradicts itself the table has what was made of it, and `repairs` says so.
 */

const error: Facts = { error: 'text' };
const refusals = { 400: error } as const;
const pageInfo: Facts = {
  ...{ skip: 'number', limit: 'number', hasPreviousPage: 'boolean', hasNextPage: 'boolean' },
  errors: [{ message: 'text', data: { skip: 'number', limit: 'number' } }],
};

const chargeRefund: Facts = {
  ...{ value: 'number', status: '=IN_PROCESSING|CONFIRMED|REJECTED', correlationID: 'text' },
  ...{ endToEndId: 'text', time: 'text', comment: 'text' },
};
const refund = {
  ...{ value: 'number', status: '=IN_PROCESSING|REFUNDED|NOT_ACCOMPLISHED', correlationID: 'text' },
  ...{ refundId: 'text', time: 'text', comment: 'text' },
} as const;

const keyTypes = '=CPF|CNPJ|EMAIL|PHONE|RANDOM';
const payment: Facts = {
  payment: {
    ...{ type: '=PIX_KEY|QR_CODE|MANUAL|BOLETO', value: 'number', qrCode: 'text', correlationID: 'text' },
    ...{ status: '=CREATED|APPROVED|CONFIRMED|FAILED|DENIED', comment: 'text', sourceAccountId: 'text' },
    ...{ destinationAlias: 'text', destinationAliasType: keyTypes },
  },
  transaction: {
    ...{ value: 'number', endToEndId: 'text', time: 'text', providerRejectedReason: 'text' },
    ...parties,
  },
  destination: { name: 'text', taxID: 'text', pixKey: 'text', bank: 'text', branch: 'text', account: 'text' },
};

const movement = {
  value: 'number',
  time: 'text',
  endToEndId: 'text',
  endToEndID: 'text',
  infoPagador: 'text',
} as const;
const transaction: Facts = {
  ...movement,
  ...{ transactionID: 'text', globalID: 'text', charge, customer: person, payer: person },
  type: '=PAYMENT|WITHDRAW|REFUND|FEE|INTERNAL_TRANSFER|BALANCE_BLOCK|BALANCE_UNBLOCK|REVERSAL',
  status: '=CREATED|CONFIRMED|REFUNDED|PARTIAL_REFUND|IN_PROCESSING|REJECTED',
  withdraw: { ...movement, transactionID: 'text', type: 'text', createdAt: 'text', payer: person },
};

const dispute = {
  ...{ name: 'text', email: 'text', phoneNumber: 'text', disputeReason: 'text', endToEndId: 'text' },
} as const;
const account: Facts = {
  ...{ accountId: 'text', isDefault: 'boolean', taxId: 'text', officialName: 'text', tradeName: 'text' },
  ...{ branch: 'text', account: 'text', accountName: 'text' },
  balance: {
    ...{ total: 'number', blocked: 'number', available: 'number' },
    ...{ blockedBySecurity: 'number', blockedByWithdrawSafety: 'number' },
  },
};
const evidence: Facts = { documents: [{ url: 'text', correlationID: 'text', description: 'text' }] };
const registration = {
  name: 'text',
  event: webhookEvents,
  url: 'text',
  authorization: 'text',
  isActive: 'boolean',
} as const;
const webhook: Facts = { ...registration, id: 'text', createdAt: 'text', updatedAt: 'text' };
const coded: Facts = { error: 'text', errorCode: 'text' };

const operations: readonly OperationFacts[] = [
  {
    call: 'POST /charge',
    query: { return_existing: 'boolean' },
    request: {
      ...{ 'correlationID!': 'text', 'value!': 'number', comment: 'text', expiresIn: 'number' },
      customer: { 'name!': 'text', taxID: 'text', email: 'text', phone: 'text', correlationID: 'text' },
      additionalInfo: [{ key: 'text', value: 'text' }],
    },
    answers: { 200: { charge, correlationID: 'text', brCode: 'text' }, ...refusals },
  },
  { call: 'GET /charge/{id}', answers: { 200: { charge }, ...refusals } },
  { call: 'DELETE /charge/{id}', answers: { 200: { status: 'text', id: 'text' }, ...refusals } },
  { call: 'GET /charge/{id}/refund', answers: { 200: { refunds: [chargeRefund] }, ...refusals } },
  {
    call: 'POST /refund',
    request: { transactionEndToEndId: 'text', correlationID: 'text', value: 'number', comment: 'text' },
    answers: { 200: { refund }, ...refusals },
  },
  {
    call: 'GET /refund/{id}',
    answers: { 200: { pixTransactionRefund: { ...refund, returnIdentification: 'text' } }, ...refusals },
  },
  {
    call: 'POST /payment',
    request: {
      ...{ 'type!': '=PIX_KEY', 'value!': 'number', 'correlationID!': 'text', comment: 'text', autoApprove: 'boolean' },
      ...{ 'destinationAlias!': 'text', 'destinationAliasType!': keyTypes, pixKeyEndToEndId: 'text' },
    },
    answers: { 200: payment, ...refusals },
  },
  { call: 'GET /payment/{id}', answers: { 200: payment, ...refusals } },
  { call: 'POST /payment/approve', request: { correlationID: 'text' }, answers: { 200: payment, ...refusals } },
  {
    call: 'GET /pix-keys/{pixKey}/check',
    answers: {
      200: {
        ...{ pixKey: 'text', type: '=CPF|CNPJ|EMAIL|PHONE|EVP', pixKeyEndToEndId: 'text' },
        owner: { account: 'text', branch: 'text', psp: 'text', name: 'text', taxID: 'text' },
      },
      ...{ 400: coded, 401: coded, 403: coded, 404: coded, 429: coded },
    },
  },
  {
    call: 'GET /transaction',
    query: {
      ...{ start: 'text', end: 'text', charge: 'text', pixQrCode: 'text', withdrawal: 'text', hasWebhook: 'boolean' },
      type: '=PAYMENT|WITHDRAW|REFUND|FEE|INTERNAL_TRANSFER|BALANCE_BLOCK|BALANCE_UNBLOCK|REVERSAL',
    },
    answers: { 200: { status: 'text', transactions: [transaction], pageInfo }, ...refusals },
  },
  { call: 'GET /account/{accountId}', answers: { 200: { account }, ...refusals } },
  {
    call: 'GET /account/',
    query: { email: 'text', skip: 'number', limit: 'number' },
    answers: { 200: { accounts: [account], pageInfo }, ...refusals },
  },
  {
    call: 'GET /dispute',
    query: { start: 'text', end: 'text' },
    answers: {
      200: {
        disputes: [
          {
            ...{ ...dispute, value: 'number', type: '=MED|CHARGEBACK', createdAt: 'instant', updatedAt: 'instant' },
            status: '=IN_REVIEW|ACCEPTED|REJECTED|CANCELED',
          },
        ],
        pageInfo,
      },
      ...refusals,
    },
  },
  {
    call: 'GET /dispute/{id}',
    answers: {
      200: {
        dispute: {
          ...{ ...dispute, value: 'text or number', type: '=MED|DISPUTE|CHARGEBACK' },
          status: '=CREATED|ACCEPTED|REJECTED|CANCELED',
        },
      },
      ...{ ...refusals, 500: error },
    },
  },
  { call: 'POST /dispute/{id}/evidence', request: evidence, answers: { 200: evidence, ...refusals } },
  { call: 'POST /webhook', request: { webhook: registration }, answers: { 200: { webhook }, ...refusals } },
  { call: 'GET /webhook', query: { url: 'text' }, answers: { 200: { webhooks: [webhook], pageInfo }, ...refusals } },
  {
    call: 'GET /webhook/public-keys',
    answers: { 200: { public_keys: [{ key_identifier: 'text', key: 'text', is_current: 'boolean' }] } },
  },
];

export const wooviDescription: Description = {
  name: "Woovi's description of 2026-08",
  base: '/api/v1',
  operations: operations.map(operationOf),
  notifications: Object.fromEntries(
    Object.entries(wooviNotifications).map(([event, facts]) => [event, schemaOf(facts)]),
  ),
  schemas: {},
  repairs: wooviRepairs,
};
