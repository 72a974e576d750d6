import { operationOf, schemaOf, type Description, type Facts, type OperationFacts } from './description.ts';

/* The contract with a SPEI provider. It is ours: adapter and simulator keep to it, and so does any provider that implements it. */

const money: Facts = { 'amount!': 'integer', currency: '=MXN' };
const error: Facts = { 'error!': { 'code!': 'text', 'message!': 'text' } };
const failure: Facts = { 'code!': 'text', 'message!': 'text' };
const refusals = { 400: error, 401: error, 404: error, 409: error, 422: error } as const;

const payment: Facts = {
  ...{ 'tracking_key!': 'text', 'charge_reference!': 'text', ...money, 'paid_at!': 'instant' },
  'payer?': { 'name?': 'text', 'document?': 'text', 'bank?': 'text' },
};
const charge: Facts = {
  ...{ 'id!': 'text', 'reference!': 'text', ...money, 'clabe!': 'text', beneficiary: 'text' },
  'status!': '=PENDING|COMPLETED|EXPIRED|CANCELED',
  ...{ created_at: 'instant', 'expires_at!': 'instant', 'payments!': [payment] },
};
const ended = '=PROCESSING|SETTLED|FAILED';
const transfer = {
  ...{ 'reference!': 'text', 'tracking_key!': 'text', ...money, clabe: 'text', 'status!': ended },
  'settled_at?': 'instant',
  'failure?': failure,
} as const;
const refund = {
  'reference!': 'text',
  'return_key!': 'text',
  ...money,
  'status!': ended,
  'failure?': failure,
} as const;
const returned: Facts = {
  ...{ 'transfer_reference!': 'text', 'return_key!': 'text', ...money, 'returned_at!': 'instant' },
  'reason?': 'text',
};
const listQuery = { 'from!': 'text', 'to!': 'text', offset: 'integer', limit: 'integer' } as const;

const operations: readonly OperationFacts[] = [
  {
    call: 'PUT /charges/{reference}',
    request: {
      ...{ 'amount!': 'integer', 'currency!': '=MXN', 'expires_in_sec!': 'integer' },
      ...{ payer_name: 'text', concept: 'text' },
    },
    answers: { 200: charge, ...refusals },
  },
  { call: 'GET /charges/{reference}', answers: { 200: charge, ...refusals } },
  { call: 'DELETE /charges/{reference}', answers: { 200: charge, ...refusals } },
  {
    call: 'PUT /charges/{reference}/refunds/{refund}',
    request: { 'amount!': 'integer', 'tracking_key!': 'text', reason: 'text' },
    answers: { 200: refund, ...refusals },
  },
  { call: 'GET /charges/{reference}/refunds/{refund}', answers: { 200: refund, ...refusals } },
  {
    call: 'PUT /transfers/{reference}',
    request: {
      ...{ 'amount!': 'integer', 'currency!': '=MXN', 'clabe!': 'text', verify_holder: 'boolean', concept: 'text' },
      'beneficiary!': { name: 'text', document: 'text' },
    },
    answers: { 200: transfer, ...refusals },
  },
  { call: 'GET /transfers/{reference}', answers: { 200: transfer, ...refusals } },
  { call: 'GET /transfers/{reference}/returns', answers: { 200: { 'returns!': [returned] }, ...refusals } },
  {
    call: 'GET /payments',
    query: listQuery,
    answers: { 200: { 'payments!': [payment], 'has_more!': 'boolean' }, 400: error },
  },
  {
    call: 'GET /returns',
    query: listQuery,
    answers: { 200: { 'returns!': [returned], 'has_more!': 'boolean' }, 400: error },
  },
  { call: 'GET /balance', answers: { 200: { 'available!': 'integer', 'blocked!': 'integer' }, 401: error } },
  { call: 'PUT /webhook', request: { 'url!': 'address' }, answers: { 200: { url: 'address' }, 400: error } },
];

const notice = (data: Facts): Facts => ({
  ...{ 'id!': 'text', 'type!': 'text', 'created_at!': 'instant' },
  'data!': data,
});

export const speiDescription: Description = {
  name: 'the contract with SPEI providers',
  base: '/spei/v1',
  operations: operations.map(operationOf),
  notifications: {
    'charge.payment_received': schemaOf(notice(payment)),
    'transfer.settled': schemaOf(notice(transfer)),
    'transfer.failed': schemaOf(notice(transfer)),
    'transfer.returned': schemaOf(notice(returned)),
    'refund.settled': schemaOf(notice(refund)),
    'refund.failed': schemaOf(notice(refund)),
  },
  schemas: {},
  repairs: [],
};
