import { z } from 'zod';
import { idSchema, currencySchema, amountSchema, minorUnitsSchema } from '@gateway/money';
import type { Environment } from '#src/values/environment.ts';
import {
  bookTrade,
  common,
  feeSchema,
  ledgerProviderSchema,
  ownFunds,
  providerFee,
} from '#src/ledger/own-account-commands.ts';
import { ledgerResultSchema } from '#src/ledger/result.ts';
import { defineCommand, type ServiceName } from '#src/messages/define.ts';

/**
 * Money of a deposit arrived at a provider: net to the merchant (available, or pending until `releaseAt`), fee to us.
 */
const creditDeposit = z
  .object({
    kind: z.literal('credit-deposit'),
    ...common,
    depositId: idSchema('deposit'),
    provider: ledgerProviderSchema,
    /** Gross amount received. */
    amount: amountSchema,
    /** At most the amount: a deposit never costs its merchant money. */
    fee: feeSchema,
    /** Unix seconds at which the net amount becomes available; null means at once. */
    releaseAt: z.int().positive().nullable(),
  })
  .refine((command) => command.fee <= command.amount, { path: ['fee'], message: 'must not exceed the amount' });

/** The retention of a deposit ended. */
const releasePending = z.object({
  kind: z.literal('release-pending'),
  ...common,
  depositId: idSchema('deposit'),
  amount: amountSchema,
});

/** Reserves a payout's amount and fee; refused `insufficient_funds` when available does not cover both. */
const debitPayout = z.object({
  kind: z.literal('debit-payout'),
  ...common,
  payoutId: idSchema('payout'),
  amount: amountSchema,
  fee: feeSchema,
});

/** The rail confirmed the payout: what was in transit has left through the provider. */
const settlePayout = z.object({
  kind: z.literal('settle-payout'),
  ...common,
  payoutId: idSchema('payout'),
  provider: ledgerProviderSchema,
  amount: amountSchema,
});

/** The payout came to nothing: amount and fee go back. */
const reversePayout = z.object({
  kind: z.literal('reverse-payout'),
  ...common,
  payoutId: idSchema('payout'),
  amount: amountSchema,
  fee: feeSchema,
});

/**
 * The rail paid a payout that had been reversed: the money has left through the provider whatever the balance holds, so
 * this is never refused for funds. Amount and fee are taken from available as far as it goes; the rest is a debt of the
 * account, which every later credit pays before anything else. Replaces debit and settlement: the payout is settled.
 */
const redebitPayout = z.object({
  kind: z.literal('redebit-payout'),
  ...common,
  payoutId: idSchema('payout'),
  provider: ledgerProviderSchema,
  amount: amountSchema,
  fee: feeSchema,
});

/** The receiving bank sent back a settled payout, whole or in part. */
const returnPayout = z.object({
  kind: z.literal('return-payout'),
  ...common,
  payoutId: idSchema('payout'),
  provider: ledgerProviderSchema,
  amount: amountSchema,
});

/** Reserves a refund of a deposit; refused when refunds would exceed `depositAmount` or available does not cover it. */
const refundDeposit = z.object({
  kind: z.literal('refund-deposit'),
  ...common,
  depositId: idSchema('deposit'),
  refundId: idSchema('refund'),
  provider: ledgerProviderSchema,
  amount: amountSchema,
  /** Gross amount that was paid: the bound of all refunds and dispute returns of the deposit together. */
  depositAmount: amountSchema,
});

/** The provider could not refund, or the refund came back: the balance has the money again, and owes nothing of it any more. */
const reverseRefund = z.object({
  kind: z.literal('reverse-refund'),
  ...common,
  depositId: idSchema('deposit'),
  refundId: idSchema('refund'),
  provider: ledgerProviderSchema,
  amount: amountSchema,
});

/**
 * The provider carried out a refund that had been reversed: as with `redebit-payout`, the money has left, what
 * available does not cover is a debt that later credits pay, and the deposit's refunds count it again.
 */
const redebitRefund = z.object({
  kind: z.literal('redebit-refund'),
  ...common,
  depositId: idSchema('deposit'),
  refundId: idSchema('refund'),
  provider: ledgerProviderSchema,
  amount: amountSchema,
});

/** A dispute (MED) opened: available to blocked, as much as is there; the rest is taken from later credits. */
const blockDispute = z.object({
  kind: z.literal('block-dispute'),
  ...common,
  disputeId: idSchema('dispute'),
  depositId: idSchema('deposit'),
  amount: amountSchema,
  /** Unix seconds from which on a shortfall may lapse (`lapse-dispute`); until then later credits pay into it. */
  captureUntil: z.int().positive(),
});

/**
 * A refund that was in the way when the dispute was blocked has come to nothing: what is contested (`amount`) beyond
 * what is due is due as well. Nothing changes where nothing is left to be added.
 */
const extendDispute = z.object({
  kind: z.literal('extend-dispute'),
  ...common,
  disputeId: idSchema('dispute'),
  amount: amountSchema,
});

/** The dispute was won: what is blocked for it goes back to available, and nothing more is captured. */
const releaseDispute = z.object({
  kind: z.literal('release-dispute'),
  ...common,
  disputeId: idSchema('dispute'),
});

/**
 * The dispute was lost, whole or in part: what is blocked for the lost amount leaves through the provider, what it
 * still lacks stays due, and the rest is released.
 */
const returnDispute = z.object({
  kind: z.literal('return-dispute'),
  ...common,
  disputeId: idSchema('dispute'),
  provider: ledgerProviderSchema,
  /** What is lost of it; all of it without. More than is due is all that is due. */
  amount: amountSchema.optional(),
});

/**
 * The provider took back its decision that a dispute was lost: what went back returns to available, nothing stays due.
 */
const overturnDispute = z.object({
  kind: z.literal('overturn-dispute'),
  ...common,
  disputeId: idSchema('dispute'),
  provider: ledgerProviderSchema,
});

/**
 * The time in which a dispute's shortfall is captured has ended: what it still lacks is given up. Refused before then.
 */
const lapseDispute = z.object({
  kind: z.literal('lapse-dispute'),
  ...common,
  disputeId: idSchema('dispute'),
});

/** Money that belongs to no deposit arrived at a provider, on a charge of this account: it waits to be sent back. */
const holdReceipt = z.object({
  kind: z.literal('hold-receipt'),
  ...common,
  /** Under which it is sent back. */
  refundId: idSchema('refund'),
  /** The charge it arrived on. */
  depositId: idSchema('deposit'),
  provider: ledgerProviderSchema,
  amount: amountSchema,
});

/** A held receipt has gone back to its payer, whole. */
const returnReceipt = z.object({
  kind: z.literal('return-receipt'),
  ...common,
  refundId: idSchema('refund'),
  provider: ledgerProviderSchema,
  amount: amountSchema,
});

/** Changes local currency into USDT at an agreed rate, atomically. */
const convert = z.object({
  kind: z.literal('convert'),
  ...common,
  conversionId: idSchema('conversion'),
  amount: amountSchema,
  targetCurrency: currencySchema,
  targetAmount: amountSchema,
  /** Unix seconds from which on the rate holds no more: decided later than that it is refused `deadline_passed`. */
  notAfter: z.int().positive().optional(),
});

/** An operator's correction, approved by a second one. */
const adjust = z.object({
  kind: z.literal('adjust'),
  ...common,
  adjustmentId: idSchema('adjustment'),
  /** Signed minor units, not zero. */
  amount: minorUnitsSchema.refine((value) => value !== 0, 'must not be zero'),
});

/** Every command of the ledger (design.md 5). One message carries one command, which the ledger applies once. */
export const ledgerCommandSchema = z.discriminatedUnion('kind', [
  creditDeposit,
  releasePending,
  debitPayout,
  settlePayout,
  reversePayout,
  redebitPayout,
  returnPayout,
  refundDeposit,
  reverseRefund,
  redebitRefund,
  blockDispute,
  extendDispute,
  releaseDispute,
  returnDispute,
  overturnDispute,
  lapseDispute,
  holdReceipt,
  returnReceipt,
  convert,
  bookTrade,
  providerFee,
  ownFunds,
  adjust,
]);
export type LedgerCommand = z.infer<typeof ledgerCommandSchema>;
export type LedgerCommandKind = LedgerCommand['kind'];
export type LedgerCommandOf<K extends LedgerCommandKind> = Extract<LedgerCommand, { kind: K }>;

/** The shard that keeps an account's balances. One per environment until traffic asks for more. */
function ledgerShardOf(_accountId: string): number {
  return 0;
}

/** What the subjects of a shard's commands begin with. One stream has all of them, so that their order is kept. */
export function ledgerCommandQueue(environment: Environment, shard: number): string {
  return `command.ledger.${environment}.${shard}`;
}

const queueFor = ({ environment, accountId }: LedgerCommand) =>
  ledgerCommandQueue(environment, ledgerShardOf(accountId));

type Subjects = Readonly<Record<LedgerCommandKind, string>>;

/** The subjects of each queue, made once: sender and ledger look theirs up for every command. */
const subjectsOfQueue: Record<Environment, Subjects[]> = { live: [], test: [] };

function subjectFor({ environment, accountId, kind }: LedgerCommand): string {
  const shard = ledgerShardOf(accountId);
  return (subjectsOfQueue[environment][shard] ??= subjectsOf(ledgerCommandQueue(environment, shard)))[kind];
}

function subjectsOf(queue: string): Subjects {
  const kinds = ledgerCommandSchema.options.map(({ shape }) => shape.kind.value);
  return Object.fromEntries(kinds.map((kind) => [kind, `${queue}.${kind}.v1`])) as Subjects;
}

/** Whose business each kind is. */
const senders = {
  'credit-deposit': 'deposits',
  'release-pending': 'ledger',
  'debit-payout': 'payouts',
  'settle-payout': 'payouts',
  'reverse-payout': 'payouts',
  'redebit-payout': 'payouts',
  'return-payout': 'payouts',
  'refund-deposit': 'deposits',
  'reverse-refund': 'deposits',
  'redebit-refund': 'deposits',
  'block-dispute': 'deposits',
  'extend-dispute': 'deposits',
  'release-dispute': 'deposits',
  'return-dispute': 'deposits',
  'overturn-dispute': 'deposits',
  'lapse-dispute': 'ledger',
  'hold-receipt': 'deposits',
  'return-receipt': 'deposits',
  convert: 'ledger',
  'book-trade': 'ledger',
  'provider-fee': 'deposits',
  'own-funds': 'api-gateway',
  adjust: 'api-gateway',
} as const satisfies Record<LedgerCommandKind, ServiceName>;

/**
 * Carried without deduplication by message id: a sender without an answer publishes again and gets the stored result.
 */
export const ledgerCommand = defineCommand({
  owner: 'ledger',
  senders,
  queueFor,
  subjectFor,
  payload: ledgerCommandSchema,
  reply: ledgerResultSchema,
});
