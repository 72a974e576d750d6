import { z } from 'zod';
import { externalIdSchema, personNameSchema, phoneSchema, requestText } from '@gateway/contracts/values';
import { currencies } from '@gateway/money';
import { documentSchema, text } from '@gateway/public-api';
import { commonRefusals, type DescribedApi } from '#src/description/apis.ts';
import type { DescribedEndpoint } from '#src/description/operation.ts';

// The connector's interface as its clients see it (spec 4.1, api.md 4). The compat service checks what they send by rules
// of its own, which are more lenient than a schema: members it does not know are ignored.

const reais = (what: string, example: number) =>
  z.number().meta({ description: `${what} In reais.`, examples: [example] });

const described = (description: string, example: string) => ({ description, examples: [example] });

/** The envelope of every success. */
function succeededWith(data: z.ZodType, id: string) {
  return z
    .object({
      success: z.literal(true).describe('Always true.'),
      data,
      errors: z.array(z.string()).meta({ description: 'Always empty.', examples: [[]] }),
    })
    .meta({ id, description: 'A success.' });
}

const failureSchema = z
  .object({
    success: z.literal(false).describe('Always false.'),
    data: z.null().describe('Always null.'),
    errors: z
      .array(z.string())
      .meta({ description: 'What is wrong, a sentence each.', examples: [['value is required']] }),
  })
  .meta({ id: 'Error', description: 'The body of every answer that is not 200.' });

/** Keys are printable ASCII, whatever else they are. */
const credential = { minLength: 1, maxLength: 200, pattern: '^[!-~]+$' };

/** Clients without a value send null or empty text in its place. */
function leftOut(schema: z.ZodType) {
  return z.union([schema, z.literal(''), z.null()]).optional();
}

const tokenSchema = z
  .object({
    clientId: text('The public key.', 'pk_test_51c9a8e7f0d24b6c'),
    name: text('The name of the account.', 'Loja Um'),
    token: text('For `Authorization: Bearer` of the other calls; good for 8 hours.', 'eyJhbGciOiJIUzI1NiJ9…'),
  })
  .meta({ id: 'Token', description: 'A token, for the calls that follow.' });

const balanceSchema = z
  .object({
    accountBalance: reais('Everything: available, retained and blocked.', 1964.4),
    precautionaryBlocking: reais('What disputes hold.', 5),
    availableBalance: reais('What can be spent.', 1940),
    availableBalanceUsdt: z.number().meta({ description: 'What can be spent of USDT.', examples: [18.47] }),
  })
  .meta({ id: 'ConnectorBalance', description: 'The balance.' });

const notificationUrlSchema = z
  .object({
    url: requestText(1, 2_048).meta({
      ...described('Where notifications are sent.', 'https://shop.example/hooks'),
      format: 'uri',
    }),
    permission: z
      .array(z.enum(['PIX_IN', 'PIX_OUT']))
      .min(1)
      .meta({ description: 'Which of them: deposits, payouts or both.', examples: [['PIX_IN', 'PIX_OUT']] }),
  })
  .meta({ id: 'NotificationUrl', description: 'An address for notifications.' });

const notificationUrlsShape = {
  notificationUrl: z.array(notificationUrlSchema).max(20).describe('All the addresses; they replace those there were.'),
  securityParaphrase: requestText(0, 255)
    .nullish()
    .meta(described('Repeated in each confirmation, so that the receiver knows the sender.', 'our words')),
};

const movIdSchema = text(
  'A second id that never changes: 24 hex digits, the same in notifications.',
  '691612f6e5008ecb0b9679ee',
);

const chargeSchema = z
  .object({
    pix: text('The copy-and-paste code.', '00020101021226…').nullable(),
    value: reais('What the payer is charged.', 19.9),
    clientId: text('The public key.', 'pk_test_51c9a8e7f0d24b6c'),
    paymentId: text('The id of the deposit.', 'dep_01k9z3m4v6t8x0a2c4e6g8jk01'),
    movId: movIdSchema,
  })
  .meta({ id: 'Charge', description: 'A charge that a payer can pay.' });

const payoutSchema = z
  .object({
    paymentId: text('The id of the payout.', 'pyt_01k9z3m4v6t8x0a2c4e6g8jk01'),
    movId: movIdSchema,
    externalId: text("The client's own reference.", 'withdrawal-7'),
    status: z
      .enum(['PENDING', 'PROCESSING', 'CONFIRMED', 'FAILED'])
      .describe('`PENDING`: waits for approval. `PROCESSING`: its end is open. `CONFIRMED`: the recipient has it.'),
    value: reais('What the recipient gets.', 12.5),
    pixKey: text('The key it goes to, as its directory writes it.', 'maria@example.com'),
    receiverName: text('The recipient; null where the call named none.', 'Maria Souza').nullable(),
    receiverDocument: text('Their tax document; null where the call named none.', '12345678909').nullable(),
  })
  .meta({ id: 'ConnectorPayout', description: 'A payout to a PIX key.' });

const amountSchema = z
  .union([
    z.number().meta({ minimum: 0.01, maximum: currencies.BRL.amountMax / 100 }),
    z.string().meta({ pattern: String.raw`^[0-9]{1,20}(\.[0-9]{1,2})?$` }),
  ])
  .meta({ description: 'In reais, with a point and at most two decimals.', examples: [19.9] });

export const connectorEndpoints: readonly DescribedEndpoint[] = [
  {
    method: 'POST',
    path: '/client/authenticate',
    group: 'client',
    operation: 'createToken',
    summary: 'Exchange a key pair for a token',
    description:
      'Answers with a token for the other calls, good for 8 hours. Any key pair of the account works on any prefix; its ' +
      'environment is that of the key. A revoked key ends its tokens at once.',
    security: [],
    body: z
      .object({
        clientId: text('The public key.', 'pk_test_51c9a8e7f0d24b6c').meta(credential),
        password: text('The secret key.', 'sk_test_0a1b2c3d4e5f6071').meta(credential),
      })
      .meta({ id: 'Credentials', description: 'A key pair.' }),
    example: { clientId: 'pk_test_51c9a8e7f0d24b6c', password: 'sk_test_0a1b2c3d4e5f6071' },
    answers: { 200: succeededWith(tokenSchema, 'TokenAnswer') },
  },
  {
    method: 'GET',
    path: '/client/balance',
    group: 'client',
    operation: 'getBalance',
    summary: 'Read the balance',
    description: 'Answers with the balance in reais, and with what is available of USDT.',
    answers: { 200: succeededWith(balanceSchema, 'BalanceAnswer') },
  },
  {
    method: 'PUT',
    path: '/client/update/notification-url',
    group: 'client',
    operation: 'replaceNotificationUrls',
    summary: 'Replace the addresses for notifications',
    description:
      'Makes these addresses all the ones at which this connector of the account receives its notifications, PixIn for ' +
      'deposits and PixOut for payouts, and answers with them. No addresses end the notifications.',
    body: z
      .object(notificationUrlsShape)
      .meta({ id: 'NotificationUrlsUpdate', description: 'All addresses for notifications.' }),
    example: { notificationUrl: [{ url: 'https://shop.example/hooks', permission: ['PIX_IN'] }] },
    answers: {
      200: succeededWith(
        z
          .object(notificationUrlsShape)
          .meta({ id: 'NotificationUrls', description: 'The addresses as they are registered.' }),
        'NotificationUrlsAnswer',
      ),
    },
    refusals: ['LIMIT_REACHED'],
  },
  {
    method: 'POST',
    path: '/payment/pix/generate-pix',
    group: 'payment',
    operation: 'createPix',
    summary: 'Create a charge',
    description:
      'Answers with the code of a new charge in reais; a repeated `externalId` is answered with the first one. The ' +
      'notification PixIn follows when it is paid.',
    body: z
      .object({
        value: amountSchema,
        externalId: externalIdSchema.meta(
          described('Your reference; a second call with it answers with the same charge.', 'order-1001'),
        ),
        expiration: z
          .union([z.literal(0), z.int().min(1).max(2_592_000), z.null()])
          .optional()
          .describe('For how many seconds it can be paid, 1 to 2,592,000; 0 means a day.'),
        payerName: leftOut(personNameSchema).meta(
          described('The full name of the payer; also `buyerName`.', 'Maria Souza'),
        ),
        payerDocument: leftOut(documentSchema).meta(
          described('The CPF or CNPJ of the payer; also `buyerCpf`.', '52998224725'),
        ),
        payerEmail: text(
          'The e-mail address of the payer; also `buyerEmail`. A malformed one is dropped.',
          'maria@example.com',
        ).nullish(),
        payerPhone: phoneSchema
          .nullish()
          .meta(described('The phone number of the payer; also `buyerPhone`.', '+5511987654321')),
      })
      .meta({ id: 'ChargeCreate', description: 'A charge to be made.' }),
    example: { value: 19.9, externalId: 'order-1001' },
    answers: { 200: succeededWith(chargeSchema, 'ChargeAnswer') },
    refusals: ['CURRENCY_NOT_SUPPORTED', 'ACCOUNT_FROZEN'],
  },
  {
    method: 'POST',
    path: '/payment/pix/pix-key',
    group: 'payment',
    operation: 'createPixPayout',
    summary: 'Send a payout to a PIX key',
    description:
      'Sends money to a key, whose type is read from the key itself, and answers within 4 seconds: a payout whose provider ' +
      'takes longer is PROCESSING, and the notification PixOut reports its end. A repeated `externalId` is answered with ' +
      'the first payout.',
    body: z
      .object({
        externalId: externalIdSchema.meta(
          described('Your reference; a second call with it answers with the same payout.', 'withdrawal-7'),
        ),
        pixKey: requestText(3, 255).meta(described('The key of the recipient.', 'maria@example.com')),
        payment: z
          .object({ amount: amountSchema })
          .meta({ id: 'PaymentAmount', description: 'What the recipient gets.' }),
        receiverName: leftOut(personNameSchema).meta(described('The full name of the recipient.', 'Maria Souza')),
        receiverDocument: leftOut(documentSchema).meta(described('The CPF or CNPJ of the recipient.', '52998224725')),
        receiverEmail: text(
          'The e-mail address of the recipient. A malformed one is dropped.',
          'maria@example.com',
        ).nullish(),
        receiverPhone: phoneSchema.nullish().meta(described('The phone number of the recipient.', '+5511987654321')),
      })
      .meta({ id: 'PixPayoutCreate', description: 'A payout to be made.' }),
    example: { externalId: 'withdrawal-7', pixKey: 'maria@example.com', payment: { amount: 12.5 } },
    answers: { 200: succeededWith(payoutSchema, 'PayoutAnswer') },
    refusals: ['CURRENCY_NOT_SUPPORTED', 'INSUFFICIENT_FUNDS', 'LIMIT_REACHED', 'ACCOUNT_FROZEN', 'PROVIDER_TIMEOUT'],
  },
];

/** Where the compat service serves the five operations, unless its configuration says otherwise. */
const connectorPaths = ['/cli', '/compat/cli', '/compat/alt/cli'];

/**
 * Where clients reach the connector.
 *
 * @param prefixes paths that the gateway passes on to the compat service, with everything below them
 */
export function connectorPathsBelow(prefixes: readonly string[]): string[] {
  return connectorPaths.filter((path) => prefixes.some((prefix) => `${path}/`.startsWith(`${prefix}/`)));
}

/** The connector's paths, below each of its prefixes. */
export const connectorApi: DescribedApi = {
  title: 'Payment gateway: connector',
  version: '1.0.0',
  contract: '0.1',
  description:
    'The five operations of the connector, under each of the addresses below. They move PIX in reais alone. Every success ' +
    'is 200 with `success: true`; every other answer has `success: false` and its reasons in `errors`. Members that an ' +
    'operation does not know are ignored.',
  tags: [
    { name: 'client', heading: 'Client', about: 'The token, the balance and the addresses for notifications' },
    { name: 'payment', heading: 'Payments', about: 'Charges and payouts by PIX' },
  ],
  securitySchemes: {
    token: { type: 'http', scheme: 'bearer', description: 'The token of `/client/authenticate`.' },
  },
  security: [{ token: [] }],
  hasWebhooks: false,
  error: {
    schema: failureSchema,
    example: (message) => ({ success: false, data: null, errors: [message] }),
  },
  refusals: [...commonRefusals, 'AUTH_IP_BLOCKED'],
  changeRefusals: [],
  headers: [],
  rateLimited: false,
};
