import { z } from 'zod';
import { requestText } from '@gateway/contracts/values';
import { currencies } from '@gateway/money';
import { text } from '@gateway/public-api';

// What the connector's interface takes and answers (spec 4.1, api.md 4).

const reais = (what: string, example: number) =>
  z.number().meta({ description: `${what} In reais.`, examples: [example] });

/** The envelope of every success. */
export function succeededWith(data: z.ZodType, id: string) {
  return z
    .object({
      success: z.literal(true).describe('Always true.'),
      data,
      errors: z.array(z.string()).meta({ description: 'Always empty.', examples: [[]] }),
    })
    .meta({ id, description: 'A success.' });
}

export const failureSchema = z
  .object({
    success: z.literal(false).describe('Always false.'),
    data: z.null().describe('Always null.'),
    errors: z
      .array(z.string())
      .meta({ description: 'What is wrong, a sentence each.', examples: [['value is required']] }),
  })
  .meta({ id: 'Error', description: 'The body of every answer that is not 200.' });

/** Keys are printable ASCII, whatever else they are. */
export const credential = { minLength: 1, maxLength: 200, pattern: '^[!-~]+$' };

/** Clients without a value send null or empty text in its place. */
export function leftOut(schema: z.ZodType) {
  return z.union([schema, z.literal(''), z.null()]).optional();
}

export const tokenSchema = z
  .object({
    clientId: text('The public key.', 'pk_test_51c9a8e7f0d24b6c'),
    name: text('The name of the account.', 'Loja Um'),
    token: text('For `Authorization: Bearer` of the other calls; good for 8 hours.', 'eyJhbGciOiJIUzI1NiJ9…'),
  })
  .meta({ id: 'Token', description: 'A token.' });

export const balanceSchema = z
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
      description: 'Where notifications are sent.',
      examples: ['https://shop.example/hooks'],
      format: 'uri',
    }),
    permission: z
      .array(z.enum(['PIX_IN', 'PIX_OUT']))
      .min(1)
      .meta({ description: 'Which of them: deposits, payouts or both.', examples: [['PIX_IN', 'PIX_OUT']] }),
  })
  .meta({ id: 'NotificationUrl', description: 'An address for notifications.' });

export const notificationUrlsShape = {
  notificationUrl: z.array(notificationUrlSchema).max(20).describe('All the addresses; they replace those there were.'),
  securityParaphrase: requestText(0, 255)
    .nullish()
    .meta({
      description: 'Repeated in each confirmation, so that the receiver knows the sender.',
      examples: ['our words'],
    }),
};

export const chargeSchema = z
  .object({
    pix: text('The copy-and-paste code.', '00020101021226…').nullable(),
    value: reais('What the payer is charged.', 19.9),
    clientId: text('The public key.', 'pk_test_51c9a8e7f0d24b6c'),
    paymentId: text('The id of the deposit.', 'dep_01k9z3m4v6t8x0a2c4e6g8jk01'),
    movId: text(
      'A second id that never changes: 24 hex digits, the same in notifications.',
      '691612f6e5008ecb0b9679ee',
    ),
  })
  .meta({ id: 'Charge', description: 'A charge.' });

export const payoutSchema = z
  .object({
    paymentId: text('The id of the payout.', 'pyt_01k9z3m4v6t8x0a2c4e6g8jk01'),
    movId: text(
      'A second id that never changes: 24 hex digits, the same in notifications.',
      '691612f6e5008ecb0b9679ee',
    ),
    externalId: text("The client's own reference.", 'withdrawal-7'),
    status: z
      .enum(['PENDING', 'PROCESSING', 'CONFIRMED', 'FAILED'])
      .describe('`PENDING`: waits for approval. `PROCESSING`: its end is open. `CONFIRMED`: the recipient has it.'),
    value: reais('What the recipient gets.', 12.5),
    pixKey: text('The key it goes to, as its directory writes it.', 'maria@example.com'),
    receiverName: text('The recipient; null where the call named none.', 'Maria Souza').nullable(),
    receiverDocument: text('Their tax document; null where the call named none.', '12345678909').nullable(),
  })
  .meta({ id: 'ConnectorPayout', description: 'A payout.' });

export const amountSchema = z
  .union([
    z.number().meta({ minimum: 0.01, maximum: currencies.BRL.amountMax / 100 }),
    z.string().meta({ pattern: String.raw`^[0-9]{1,20}(\.[0-9]{1,2})?$` }),
  ])
  .meta({ description: 'In reais, with a point and at most two decimals.', examples: [19.9] });
