import { z } from 'zod';
import {
  idSchema,
  currencySchema,
  paymentMethodSchema,
  payoutKeyTypes,
  amountSchema,
  minorUnitsSchema,
} from '@gateway/money';
import { metadataSchema } from '#src/deposits/deposit.ts';
import { apiVersionSchema, environmentSchema } from '#src/values/environment.ts';

export const payoutStatusSchema = z.enum(['PENDING', 'PROCESSING', 'PAID', 'FAILED', 'REJECTED']).meta({
  id: 'PayoutStatus',
  description:
    '`PENDING`: waits for approval. `PROCESSING`: sent, its end is open. `PAID`: the recipient has it. `FAILED`: sent, ' +
    'then failed. `REJECTED`: refused before it was sent. Of the last two the money is available again.',
});
export type PayoutStatus = z.infer<typeof payoutStatusSchema>;

export const payoutKindSchema = z.enum(['PLAYER_PAYOUT', 'SETTLEMENT']).meta({
  id: 'PayoutKind',
  description: '`PLAYER_PAYOUT`: to a customer. `SETTLEMENT`: to the merchant.',
});
export type PayoutKind = z.infer<typeof payoutKindSchema>;

/** The key types of every rail (spec 2.2, api.md 3). */
export const payoutKeyTypeSchema = z.enum(payoutKeyTypes).meta({
  id: 'PayoutKeyType',
  description: 'What the key of a payout is: a type of PIX key, or `clabe` for SPEI.',
});
export type PayoutKeyType = z.infer<typeof payoutKeyTypeSchema>;

/**
 * Why a PENDING payout waits for approval: a rule of ours, a limit of the account, or an account all of whose payouts are
 * approved by an operator.
 */
export const pendingReasonSchema = z.enum(['approval_rule', 'limit', 'account_setting']).meta({
  id: 'PendingReason',
  description:
    '`approval_rule`: a rule of ours. `limit`: a limit of the account. `account_setting`: all its payouts are approved.',
});
export type PendingReason = z.infer<typeof pendingReasonSchema>;

/** Name and document are empty where the connector's client has not named them. */
export const recipientSchema = z.object({
  name: z.string(),
  document: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
});
export type Recipient = z.infer<typeof recipientSchema>;

/** A payout as the services know it, in no contract version; presenters give it its public shape. */
export const payoutSchema = z.object({
  id: idSchema('payout'),
  environment: environmentSchema,
  accountId: idSchema('account'),
  externalId: z.string(),
  status: payoutStatusSchema,
  currency: currencySchema,
  /** Senders from before there was a second rail do not name it. */
  paymentMethod: paymentMethodSchema.default('PIX'),
  amount: amountSchema,
  fee: minorUnitsSchema,
  returned: minorUnitsSchema,
  key: z.string(),
  keyType: payoutKeyTypeSchema,
  recipient: recipientSchema,
  kind: payoutKindSchema,
  e2eId: z.string().nullable(),
  /** Of a PENDING payout; senders from before do not name it. */
  pendingReason: pendingReasonSchema.nullable().default(null),
  failureReason: z.string().nullable(),
  /** For people, in English. */
  failureMessage: z.string().nullable(),
  metadata: metadataSchema,
  apiVersion: apiVersionSchema,
  /** Unix seconds. */
  createdAt: z.int(),
  /** ISO 8601 UTC with milliseconds. */
  paidAt: z.string().nullable(),
});
export type Payout = z.infer<typeof payoutSchema>;
