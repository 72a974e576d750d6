import { z } from 'zod';
import { amountSchema, currencySchema, idSchema, minorUnitsSchema } from '@gateway/money';
import { commandIdSchema, ownTransferReferenceSchema, statementLineIdSchema } from '#src/ledger/command-id.ts';
import { environmentSchema } from '#src/values/environment.ts';

export const feeSchema = z.int().nonnegative();
/** A provider's name in the ledger: that of its adapter's configuration. */
export const ledgerProviderSchema = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/);

/** Whose account a command names that is about no merchant. No account has this id. */
export const treasuryAccountId = `acc_${'0'.repeat(26)}`;

export const common = {
  id: commandIdSchema,
  environment: environmentSchema,
  accountId: idSchema('account'),
  currency: currencySchema,
};

/**
 * An order at an exchange has bought USDT for conversions: what was spent has left our account there, and what was bought,
 * less the exchange's fee, is in it. Carries no merchant: its account is `treasuryAccountId`.
 */
export const bookTrade = z
  .object({
    kind: z.literal('book-trade'),
    ...common,
    orderId: idSchema('treasuryOrder'),
    venue: ledgerProviderSchema,
    /** Spent, in local currency. */
    amount: amountSchema,
    /** The part of it that paid the exchange's fee, at the price of the order. */
    fee: feeSchema,
    targetCurrency: currencySchema,
    /** Bought, less the fee. */
    targetAmount: amountSchema,
  })
  .refine((command) => command.fee <= command.amount, { path: ['fee'], message: 'must not exceed the amount' });

/** A price of the provider's own, taken from what it holds for us; less than zero when it gives one back. */
export const providerFee = z.object({
  kind: z.literal('provider-fee'),
  ...common,
  provider: ledgerProviderSchema,
  lineId: statementLineIdSchema,
  amount: minorUnitsSchema.refine((value) => value !== 0, 'must not be zero'),
});

/**
 * Money of our own that came to an account at a provider (more than zero), or was taken out of it. `lineId` is the line of
 * the statement that has it; null while there is none, and then the line is found by `reference`. By two operators.
 */
export const ownFunds = z
  .object({
    kind: z.literal('own-funds'),
    ...common,
    provider: ledgerProviderSchema,
    lineId: statementLineIdSchema.nullable(),
    reference: ownTransferReferenceSchema.nullable(),
    amount: minorUnitsSchema.refine((value) => value !== 0, 'must not be zero'),
  })
  .refine((command) => (command.lineId === null) !== (command.reference === null), {
    path: ['reference'],
    message: 'is there without a line, and only then',
  });
