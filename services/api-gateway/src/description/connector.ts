import { z } from 'zod';
import { externalIdSchema, personNameSchema, phoneSchema, requestText } from '@gateway/contracts/values';
import { documentSchema, text } from '@gateway/public-api';
import { commonRefusals, type DescribedApi } from '#src/description/apis.ts';
import {
  amountSchema,
  balanceSchema,
  chargeSchema,
  credential,
  failureSchema,
  leftOut,
  notificationUrlsShape,
  payoutSchema,
  succeededWith,
  tokenSchema,
} from '#src/description/connector-schemas.ts';
import type { DescribedEndpoint } from '#src/description/operation.ts';

// The connector's interface as its clients see it (spec 4.1, api.md 4). The compat service checks what they send by rules
// of its own, which are more lenient than a schema: members it does not know are ignored.

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
        externalId: externalIdSchema.meta({
          description: 'Your reference; a second call with it answers with the same charge.',
          examples: ['order-1001'],
        }),
        expiration: z
          .union([z.literal(0), z.int().min(60).max(2_592_000), z.null()])
          .optional()
          .describe('For how many seconds it can be paid, 60 to 2,592,000; 0 means a day.'),
        payerName: leftOut(personNameSchema).meta({
          description: 'The full name of the payer; also taken as `buyerName`.',
          examples: ['Maria Souza'],
        }),
        payerDocument: leftOut(documentSchema).meta({
          description: 'The CPF or CNPJ of the payer; also taken as `buyerCpf`.',
          examples: ['52998224725'],
        }),
        payerEmail: text(
          'The e-mail address of the payer; also taken as `buyerEmail`. A malformed one is dropped.',
          'maria@example.com',
        ).nullish(),
        payerPhone: phoneSchema.nullish().meta({
          description: 'The phone number of the payer; also taken as `buyerPhone`.',
          examples: ['+5511987654321'],
        }),
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
        externalId: externalIdSchema.meta({
          description: 'Your reference; a second call with it answers with the same payout.',
          examples: ['withdrawal-7'],
        }),
        pixKey: requestText(3, 255).meta({
          description: 'The key of the recipient.',
          examples: ['maria@example.com'],
        }),
        payment: z
          .object({ amount: amountSchema })
          .meta({ id: 'PaymentAmount', description: 'What the recipient gets.' }),
        receiverName: leftOut(personNameSchema).meta({
          description: 'The full name of the recipient.',
          examples: ['Maria Souza'],
        }),
        receiverDocument: leftOut(documentSchema).meta({
          description: 'The CPF or CNPJ of the recipient.',
          examples: ['52998224725'],
        }),
        receiverEmail: text(
          'The e-mail address of the recipient. A malformed one is dropped.',
          'maria@example.com',
        ).nullish(),
        receiverPhone: phoneSchema.nullish().meta({
          description: 'The phone number of the recipient.',
          examples: ['+5511987654321'],
        }),
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
