import { errorTable, type ErrorCode } from '@gateway/contracts/errors';
import { apiVersionSchema } from '@gateway/contracts/values';
import { webhookDescriptions } from '#src/http/webhook-descriptions.ts';

export interface Parameter {
  readonly name: string;
  readonly in: string;
  description?: string;
  schema?: object;
}

type Security = Readonly<Record<string, string[]>>;

/** What the description of an API says beside its routes. */
export interface DescribedApi {
  readonly title: string;
  readonly description: string;
  /** Every group of operations, and what it is about. */
  readonly tags: readonly (readonly [name: string, about: string])[];
  readonly securitySchemes: Readonly<
    Record<string, { type: 'apiKey'; in: 'header'; name: string } | { type: 'http'; scheme: string }>
  >;
  readonly security: readonly Security[];
  readonly webhooks?: Readonly<Record<string, object>>;
  /** Statuses any operation may refuse with, whatever it takes. */
  readonly refusals: readonly number[];
  /** Headers any operation takes. */
  readonly headers: readonly Parameter[];
  /** Whether answers carry what is left of the caller's rate. */
  readonly rateLimited: boolean;
}

const manners = `
Bodies are JSON in UTF-8, at most 64 KiB. Amounts are integers in the smallest unit of their currency. The order of ids is the order of
creation. Lists are newest first: \`limit\` from 1 to 200, and as \`cursor\` the id of the last record received; new
records never make a page repeat or skip one. A member or query parameter that an operation does not
know is 400 \`VALIDATION_ERROR\`, which names it; an optional member may be null. A call of a path with a
method that it does not have is 405 \`METHOD_NOT_ALLOWED\` with \`Allow\`: ${errorTable.METHOD_NOT_ALLOWED.action}
`
  .trim()
  .replaceAll('\n', ' ');

const contractParameter: Parameter = {
  name: 'X-Api-Version',
  in: 'header',
  description:
    "The contract of the call. Without it the form of the body decides, otherwise the key's contract. 1.0 is a beta.",
  schema: { type: 'string', enum: apiVersionSchema.options },
};

const languageParameter: Parameter = {
  name: 'Accept-Language',
  in: 'header',
  description:
    'The language of texts for people, which are `failure_message`s: Portuguese, Spanish, or English for all others.',
  schema: { type: 'string' },
};

const merchantNotes = `
The key decides the environment: test and live are isolated from each other and have the same operations. A record of another
account or of the other environment is 404, like one that does not exist. A creation with an
\`external_id\` that was used before answers 200 with the existing record.
`
  .trim()
  .replaceAll('\n', ' ');

/** The public listener as merchants see it. */
export const merchantApi: DescribedApi = {
  title: 'Payment gateway',
  description: `${merchantNotes}\n\n${manners}`,
  tags: [
    ['account', 'The account behind the key, and the secret of its callbacks'],
    ['adjustments', 'Corrections of the balance by operators'],
    ['balance', 'What can be withdrawn, what is retained, what is blocked'],
    ['conversions', 'Exchanges of balances into USDT'],
    ['deliveries', 'What was sent about a record, to webhooks and callback URLs'],
    ['deposits', 'Charges a payer pays, and their refunds'],
    ['disputes', 'Chargebacks (MED) and the evidence against them'],
    ['ip-allowlist', 'The addresses from which the key of the call may be used'],
    ['payouts', 'Transfers to recipients'],
    ['quotes', 'Exchange rates that are held for 30 seconds'],
    ['refunds', 'Money sent back to payers'],
    ['test mode', 'Simulated payments; test keys only'],
    ['transactions', 'The ledger: every credit and debit of the available balance'],
    ['webhooks', 'Where events are sent, and the log of their deliveries'],
    ['webhook events', 'What is sent to webhooks'],
  ],
  securitySchemes: {
    publicKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    secretKey: { type: 'apiKey', in: 'header', name: 'x-api-secret' },
    basic: { type: 'http', scheme: 'basic' },
  },
  security: [{ publicKey: [], secretKey: [] }, { basic: [] }],
  webhooks: webhookDescriptions(),
  refusals: [400, 401, 429, 500, 503],
  headers: [contractParameter, languageParameter],
  rateLimited: true,
};

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
  description: `${operatorNotes}\n\n${manners}`,
  tags: [
    ['accounts', 'Merchant accounts, their settings and keys'],
    ['adjustments', 'Corrections of balances, by two operators'],
    ['approvals', 'What one operator proposes and another approves'],
    ['audit', 'What operators changed, with before and after'],
    ['compat', 'Restrictions of accounts on a connector'],
    ['conversions', 'Conversions of all accounts'],
    ['dead-letters', 'Messages that no service could handle'],
    ['deliveries', 'What was sent to webhooks and callback URLs, of all accounts'],
    ['deposits', 'Deposits of all accounts'],
    ['disputes', 'Chargebacks (MED), of all accounts'],
    ['feeds', "How far providers' lists have been read"],
    ['keys', 'Key pairs of merchants'],
    ['orphan-receipts', 'Money that belongs to no deposit'],
    ['payouts', 'Payouts of all accounts; their approval, refusal and resolution'],
    ['providers', 'Payment providers'],
    ['reconciliations', 'Reconciliations of the ledger'],
    ['refunds', 'Money sent back to payers, of all accounts'],
    ['search', 'Records of all accounts by one exact value'],
    ['unread-items', 'Items of providers that could not be applied'],
  ],
  securitySchemes: { operator: { type: 'http', scheme: 'bearer' } },
  security: [{ operator: [] }],
  refusals: [400, 401, 429, 500, 503],
  headers: [],
  rateLimited: false,
};

/** Codes an operation can answer; 405 belongs to paths rather than to operations. */
export const describedCodes = (Object.keys(errorTable) as ErrorCode[]).filter((code) => code !== 'METHOD_NOT_ALLOWED');
