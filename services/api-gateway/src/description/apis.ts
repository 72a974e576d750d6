import type { z } from 'zod';
import { errorTable, type ErrorCode } from '@gateway/contracts/errors';
import type { ApiVersion } from '@gateway/contracts/values';

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: object;
}

/** A group of operations, and the heading it stands under. */
export interface Tag {
  readonly name: string;
  readonly about: string;
  readonly heading: string;
}

type SecurityScheme =
  | { readonly type: 'apiKey'; readonly in: 'header'; readonly name: string; readonly description: string }
  | { readonly type: 'http'; readonly scheme: string; readonly description: string };

/** What the description of an API says beside its routes. */
export interface DescribedApi {
  readonly title: string;
  /** Of the interface, not of the product: it rises when the interface changes. */
  readonly version: string;
  readonly description: string;
  /** The contract of its answers; the operators' interface has the forms of the first. */
  readonly contract: ApiVersion;
  /** In the order in which they are read. */
  readonly tags: readonly Tag[];
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  readonly security: readonly Readonly<Record<string, string[]>>[];
  readonly hasWebhooks: boolean;
  /** The body of a refusal, where it is not the native one. */
  readonly error?: { readonly schema: z.ZodType; readonly example: (message: string) => unknown };
  /** Codes that any operation may refuse with, whatever it takes. */
  readonly refusals: readonly ErrorCode[];
  /** Codes that any operation that changes something may refuse with. */
  readonly changeRefusals: readonly ErrorCode[];
  /** Headers any operation takes. */
  readonly headers: readonly Parameter[];
  /** Whether answers carry what is left of the caller's rate. */
  readonly rateLimited: boolean;
}

const manners = `
Bodies are JSON in UTF-8, at most 64 KiB. Amounts are integers in the smallest unit of their currency. The order of ids is the order of
creation. Lists are newest first: \`limit\` from 1 to 200, and as \`cursor\` the id of the last record received; new
records never make a page repeat or skip one. A member or query parameter that an operation does not
know is 400 \`VALIDATION_ERROR\`, which names it; an optional member may be null. Members may be added to answers and
names to events: ignore those that you do not know. A call of a path with a
method that it does not have is 405 \`METHOD_NOT_ALLOWED\` with \`Allow\`: ${errorTable.METHOD_NOT_ALLOWED.action}
`
  .trim()
  .replaceAll('\n', ' ');

const merchantNotes = `
The key decides the environment: test and live are isolated from each other and have the same operations. A record of another
account or of the other environment is 404, like one that does not exist. A creation with an
\`external_id\` that was used before answers 200 with the existing record.
`
  .trim()
  .replaceAll('\n', ' ');

const contractNotes: Readonly<Record<ApiVersion, string>> = {
  '0.1':
    'This is contract 0.1: PIX in reais, amounts in members that end in `_cents`. Contract 1.0, a beta, adds SPEI in ' +
    'Mexican pesos and has a description of its own, `/openapi-1.0.json`.',
  '1.0':
    'This is contract 1.0, a beta: PIX in reais and SPEI in Mexican pesos, with the currency beside each amount. ' +
    'Send `X-Api-Version: 1.0` with every call. Contract 0.1 is described by `/openapi.json`.',
};

const contractHeaders: Readonly<Record<ApiVersion, Parameter>> = {
  '0.1': {
    name: 'X-Api-Version',
    in: 'header',
    description:
      'The contract of the call. Without it the form of the body decides, otherwise the contract of the key: a key that ' +
      'was issued for 1.0 needs the header to speak 0.1.',
    schema: { type: 'string', enum: ['0.1'] },
  },
  '1.0': {
    name: 'X-Api-Version',
    in: 'header',
    required: true,
    description: 'The contract of the call; without it a key that was issued for 0.1 is answered in 0.1.',
    schema: { type: 'string', enum: ['1.0'] },
  },
};

const languageHeader: Parameter = {
  name: 'Accept-Language',
  in: 'header',
  description:
    'The language of texts for people, which are `failure_message`s: Portuguese, Spanish, or English for all others.',
  schema: { type: 'string' },
};

const merchantTags: readonly Tag[] = [
  { name: 'deposits', heading: 'Take money', about: 'Charges a payer pays' },
  { name: 'refunds', heading: 'Take money', about: 'Money sent back to payers' },
  { name: 'disputes', heading: 'Take money', about: 'Chargebacks (MED) and the evidence against them' },
  { name: 'payouts', heading: 'Pay out', about: 'Transfers to recipients' },
  { name: 'balance', heading: 'Money', about: 'What can be withdrawn, what is retained, what is blocked' },
  { name: 'totals', heading: 'Money', about: 'How many payments there were, and what they add up to' },
  { name: 'transactions', heading: 'Money', about: 'The ledger: every credit and debit of the available balance' },
  {
    name: 'proof',
    heading: 'Money',
    about: 'What anybody verifies without trusting us: receipts, and the keys for them',
  },
  { name: 'adjustments', heading: 'Money', about: 'Corrections of the balance by operators' },
  { name: 'quotes', heading: 'Money', about: 'Exchange rates that are held for 30 seconds' },
  { name: 'conversions', heading: 'Money', about: 'Exchanges of balances into USDT' },
  { name: 'exports', heading: 'Money', about: 'Statements and lists as files: CSV, OFX, camt.053, CNAB 240' },
  { name: 'webhooks', heading: 'Events', about: 'Where events are sent, and the log of their deliveries' },
  { name: 'deliveries', heading: 'Events', about: 'What was sent about a record, to webhooks and callback URLs' },
  { name: 'events', heading: 'Events', about: 'What happened, whether or not a webhook received it' },
  { name: 'requests', heading: 'Events', about: 'What the keys of the account asked and were answered' },
  { name: 'webhook events', heading: 'Events', about: 'What is sent to webhooks' },
  { name: 'account', heading: 'Account', about: 'The account behind the key, and the secret of its callbacks' },
  {
    name: 'ip-allowlist',
    heading: 'Account',
    about: 'The addresses from which the key of the call may be used',
  },
  { name: 'test mode', heading: 'Test', about: 'Simulated payments; test keys only' },
];

/** Codes that any operation of every API may refuse with. */
export const commonRefusals = [
  ...(['VALIDATION_ERROR', 'AUTH_REQUIRED', 'AUTH_INVALID', 'RATE_LIMITED', 'INTERNAL_ERROR'] as const),
  ...(['PROVIDER_UNAVAILABLE', 'SERVICE_UNAVAILABLE'] as const),
];

/** Codes of every change: a body that an operation does not take is limited in size and type all the same. */
export const bodyRefusals = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const;

/** The public listener as merchants see it, in one contract. */
export function merchantApi(contract: ApiVersion): DescribedApi {
  return {
    title: contract === '0.1' ? 'Payment gateway' : 'Payment gateway (contract 1.0, beta)',
    version: contract === '0.1' ? '0.1.0' : '1.0.0-beta.1',
    contract,
    description: `${contractNotes[contract]}\n\n${merchantNotes}\n\n${manners}`,
    tags: merchantTags,
    securitySchemes: {
      publicKey: {
        type: 'apiKey',
        in: 'header',
        name: 'x-api-key',
        description: 'The public key. Send it together with `x-api-secret`.',
      },
      secretKey: {
        type: 'apiKey',
        in: 'header',
        name: 'x-api-secret',
        description: 'The secret key. Send it together with `x-api-key`, and from servers alone.',
      },
      basic: {
        type: 'http',
        scheme: 'basic',
        description: 'The same pair as HTTP Basic: the public key as user name, the secret key as password.',
      },
    },
    security: [{ publicKey: [], secretKey: [] }, { basic: [] }],
    hasWebhooks: true,
    refusals: [...commonRefusals, 'AUTH_IP_BLOCKED', 'SCOPE_MISSING'],
    changeRefusals: ['ACCOUNT_FROZEN'],
    headers: [contractHeaders[contract], languageHeader],
    rateLimited: true,
  };
}

const operatorNotes = `
Each operator has a bearer token; every change is recorded in the audit trail. A change that moves money or lets it leave
takes two operators: the operation answers 202 with an \`approval\`, which another operator approves. Invalid tokens are
counted and rate-limited by address. This description needs no token: it describes the product and contains nothing of
this installation.
`
  .trim()
  .replaceAll('\n', ' ');

/** The operators' listener. */
export const operatorApi: DescribedApi = {
  title: 'Payment gateway: operators',
  version: '0.2.0',
  contract: '0.1',
  description: `${operatorNotes}\n\n${manners}`,
  tags: [
    { name: 'approvals', heading: 'Two operators', about: 'What one operator proposes and another approves' },
    { name: 'deposits', heading: 'Payments', about: 'Deposits of all accounts' },
    {
      name: 'payouts',
      heading: 'Payments',
      about: 'Payouts of all accounts; their approval, refusal and resolution',
    },
    { name: 'refunds', heading: 'Payments', about: 'Money sent back to payers, of all accounts' },
    { name: 'disputes', heading: 'Payments', about: 'Chargebacks (MED), of all accounts' },
    { name: 'conversions', heading: 'Payments', about: 'Conversions of all accounts' },
    { name: 'overview', heading: 'Payments', about: 'What needs an operator now, of all kinds' },
    { name: 'search', heading: 'Payments', about: 'Records of all accounts by one exact value' },
    { name: 'orphan-receipts', heading: 'Payments', about: 'Money that belongs to no deposit' },
    { name: 'accounts', heading: 'Accounts', about: 'Merchant accounts, their settings and keys' },
    { name: 'keys', heading: 'Accounts', about: 'Key pairs of merchants' },
    { name: 'compat', heading: 'Accounts', about: 'Restrictions of accounts on a connector' },
    { name: 'deliveries', heading: 'Accounts', about: 'What was sent to webhooks and callback URLs, of all accounts' },
    { name: 'adjustments', heading: 'Money', about: 'Corrections of balances, by two operators' },
    { name: 'providers', heading: 'Money', about: 'Payment providers' },
    { name: 'exceptions', heading: 'Money', about: 'What the sides of the reconciliation do not explain' },
    { name: 'lines', heading: 'Money', about: "Lines of the providers' statements" },
    { name: 'statement-days', heading: 'Money', about: "Days of the providers' accounts" },
    { name: 'own-transfers', heading: 'Money', about: 'Money of our own that moves at a provider, by two operators' },
    { name: 'reconciliations', heading: 'Money', about: 'Reconciliations of the ledger' },
    {
      name: 'ledger',
      heading: 'Money',
      about: 'The hash chain of the ledger beside what other services have seen of it',
    },
    { name: 'proof', heading: 'Money', about: "The ledger's tree, its signed checkpoints and their keys" },
    { name: 'feeds', heading: 'Running it', about: "How far providers' lists have been read" },
    { name: 'statement-files', heading: 'Running it', about: "Providers' statements as files" },
    { name: 'statement-mappings', heading: 'Running it', about: "How providers' CSV is read" },
    { name: 'unread-items', heading: 'Running it', about: 'Items of providers that could not be applied' },
    { name: 'requests', heading: 'Running it', about: 'What the keys of merchants asked and were answered' },
    { name: 'dead-letters', heading: 'Running it', about: 'Messages that no service could handle' },
    { name: 'people', heading: 'People', about: 'Who operates, with which roles' },
    { name: 'invitations', heading: 'People', about: 'Who is invited to operate, by two operators' },
    { name: 'service-tokens', heading: 'People', about: 'Tokens for automation' },
    { name: 'sign-ins', heading: 'People', about: 'Sign-ins, refusals and changes of people' },
    { name: 'audit', heading: 'Running it', about: 'What operators changed, with before and after' },
  ],
  securitySchemes: {
    operator: { type: 'http', scheme: 'bearer', description: 'The token of an operator; each operator has one.' },
  },
  security: [{ operator: [] }],
  hasWebhooks: false,
  refusals: [...commonRefusals, 'PERMISSION_DENIED'],
  changeRefusals: ['INVALID_STATE', 'SECOND_PERSON_REQUIRED', 'INSUFFICIENT_FUNDS', 'LIMIT_REACHED'],
  headers: [],
  rateLimited: false,
};
