import { z } from 'zod';
import { currencySchema, minorUnitsSchema } from '@gateway/money';
import { defineRpc } from '#src/messages/define.ts';
import { ledgerProviderSchema } from '#src/ledger/own-account-commands.ts';
import { statementLineIdSchema } from '#src/ledger/command-id.ts';

export const providerFeesMax = 200;

const feeLineSchema = z.object({
  provider: ledgerProviderSchema,
  currency: currencySchema,
  lineId: statementLineIdSchema,
  /** What the provider took; less than zero when it gives one back, which no price says. */
  amount: minorUnitsSchema.refine((value) => value !== 0, 'must not be zero'),
  /** By two operators: then it is booked without a price. */
  approved: z.boolean().optional(),
});
export type FeeLine = z.infer<typeof feeLineSchema>;

/**
 * Fees on live providers' statements. Those that are among the provider's prices, or that two operators have approved, are
 * booked, once however often they are asked for; the others are left to operators.
 */
export const bookProviderFees = defineRpc({
  subject: 'rpc.deposits.book-provider-fees.v1',
  owner: 'deposits',
  callers: ['reconciler'],
  request: z.object({ fees: z.array(feeLineSchema).max(providerFeesMax) }),
  /** The lines that are booked by now. */
  reply: z.object({ booked: z.array(z.string()) }),
});
