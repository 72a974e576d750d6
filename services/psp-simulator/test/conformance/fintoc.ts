import { operationOf, schemaOf, type Description, type Facts, type OperationFacts } from './description.ts';

/*
 * Fintoc's Transfers API as its pages describe it: docs.fintoc.com/api/transfers-api (version 2026-02-01), "Types of
 * events" and "Errors", read on 22 November 2026. Members that are always there by these pages are marked so.
 */

const error: Facts = { 'error!': { 'type!': 'text', 'code?': 'text', 'message?': 'text', 'param?': 'text' } };
const refusals = { 400: error, 401: error, 404: error, 409: error, 422: error } as const;

/** Pairs of the customer's own: these are the gateway's. */
const metadata: Facts = { reference: 'text', kind: 'text', amount: 'text', expires_at: 'text' };

const accountNumber: Facts = {
  ...{ 'id!': 'text', 'object!': '=account_number', 'account_id!': 'text', 'created_at!': 'instant' },
  ...{ 'deleted_at?': 'instant', 'description?': 'text', is_root: 'boolean', 'last_transfer_at?': 'instant' },
  ...{ 'metadata?': metadata, mode: '=live|test', 'number!': 'text', 'updated_at?': 'instant' },
  'options?': { 'max_amount?': 'integer', 'min_amount?': 'integer' },
  'status!': '=enabled|disabled|deleted',
};

const transfer: Facts = {
  ...{ 'id!': 'text', 'object!': '=transfer', 'amount!': 'integer', 'currency!': '=CLP|MXN', 'comment?': 'text' },
  ...{ 'direction!': '=inbound|outbound', 'metadata?': metadata, mode: '=live|test', 'post_date?': 'instant' },
  ...{ 'receipt_url?': 'text', 'reference_id?': 'text', 'return_reason?': 'text', 'tracking_key?': 'text' },
  ...{ 'transaction_date?': 'instant' },
  'status!': '=pending|succeeded|failed|rejected|returned|return_pending|reject_failed',
  'account_number?': {
    ...{ 'id!': 'text', object: '=account_number', account_id: 'text', created_at: 'instant', 'description?': 'text' },
    ...{ 'metadata?': metadata, mode: '=live|test', number: 'text' },
  },
  'counterparty?': {
    ...{ 'account_number?': 'text', 'account_type?': 'text', 'email?': 'text', 'holder_id?': 'text' },
    ...{ 'holder_name?': 'text' },
    'institution?': { id: 'text', country: 'text', 'name?': 'text' },
  },
};

const account: Facts = {
  ...{ 'id!': 'text', 'object!': '=account', 'available_balance!': 'integer', 'currency!': '=CLP|MXN' },
  ...{ 'description?': 'text', is_root: 'boolean', mode: '=live|test', status: 'text' },
  'entity?': { id: 'text', 'holder_id?': 'text', 'holder_name?': 'text' },
};

const endpoint: Facts = {
  ...{ 'id!': 'text', object: '=webhook_endpoint', created_at: 'instant', 'description?': 'text', 'secret?': 'text' },
  ...{ 'enabled_events!': ['text'], mode: '=live|test', status: '=enabled|disabled', 'url!': 'address' },
};

const page = { starting_after: 'text', ending_before: 'text', limit: 'integer' } as const;

const operations: readonly OperationFacts[] = [
  {
    call: 'POST /v2/account_numbers',
    request: {
      ...{ 'account_id!': 'text', description: 'text', metadata },
      options: { min_amount: 'integer', max_amount: 'integer' },
    },
    answers: { 201: accountNumber, ...refusals },
  },
  {
    call: 'GET /v2/account_numbers',
    query: { account_id: 'text', ...page },
    answers: { 200: [accountNumber], ...refusals },
  },
  { call: 'GET /v2/account_numbers/{id}', answers: { 200: accountNumber, ...refusals } },
  {
    call: 'PATCH /v2/account_numbers/{id}',
    request: { status: '=enabled|disabled', description: 'text', metadata },
    answers: { 200: accountNumber, ...refusals },
  },
  {
    call: 'POST /v2/transfers',
    request: {
      ...{ 'account_id!': 'text', 'amount!': 'integer', 'currency!': '=CLP|MXN', comment: 'text' },
      ...{ reference_id: 'text', metadata },
      'counterparty!': { 'account_number!': 'text', holder_name: 'text', holder_id: 'text', institution_id: 'text' },
    },
    answers: { 201: transfer, ...refusals },
  },
  {
    call: 'GET /v2/transfers',
    query: {
      ...{ account_id: 'text', account_number_id: 'text', direction: '=inbound|outbound', status: 'text' },
      ...{ since: 'text', until: 'text', ...page },
    },
    answers: { 200: [transfer], ...refusals },
  },
  { call: 'GET /v2/transfers/{id}', answers: { 200: transfer, ...refusals } },
  { call: 'GET /v2/accounts/{id}', answers: { 200: account, ...refusals } },
  { call: 'GET /v1/webhook_endpoints', answers: { 200: [endpoint], ...refusals } },
  {
    call: 'POST /v1/webhook_endpoints',
    request: { 'url!': 'address', 'enabled_events!': ['text'], description: 'text' },
    answers: { 201: endpoint, ...refusals },
  },
];

const notice: Facts = {
  ...{ 'id!': 'text', object: '=event', 'type!': 'text', mode: '=live|test', 'created_at!': 'instant' },
  'data!': transfer,
};

/** `transfer.outbound.rejected` is the name that another page gives to the last one: see `notifiedEvents` of the adapter. */
const events = [
  'transfer.inbound.succeeded',
  'transfer.outbound.succeeded',
  'transfer.outbound.failed',
  'transfer.outbound.returned',
] as const;

export const fintocDescription: Description = {
  name: "Fintoc's Transfers API",
  base: '/fintoc',
  operations: operations.map(operationOf),
  notifications: Object.fromEntries(events.map((name) => [name, schemaOf(notice)])),
  schemas: {},
  repairs: [],
};
