import { z } from 'zod';
import { currencySchema } from '@gateway/money';
import { defineRpc } from '#src/messages/define.ts';
import { ledgerProviderSchema } from '#src/ledger/own-account-commands.ts';
import { statementLineIdSchema } from '#src/ledger/command-id.ts';

export const providerFeesMax = 200;

const feeLineSchema = z.object({
  provider: ledgerProviderSchema,
  currency: currencySchema,
  lineId: statementLineIdSchema,
  /** What the provider took. */
  amount: z.int().positive(),
});
export type FeeLine = z.infer<typeof feeLineSchema>;

/**
 * Fees on live providers' statements. Those that are among the provider's prices are booked, once however often they are
 * asked for; the others are left to operators.
 */
export const bookProviderFees = defineRpc({
  subject: 'rpc.deposits.book-provider-fees.v1',
  owner: 'deposits',
  callers: ['reconciler'],
  request: z.object({ fees: z.array(feeLineSchema).max(providerFeesMax) }),
  /** The lines that are booked by now. */
  reply: z.object({ booked: z.array(z.string()) }),
});
