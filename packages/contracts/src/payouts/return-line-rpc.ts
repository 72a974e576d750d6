import { z } from 'zod';
import { railCurrencies } from '@gateway/money';
import { defineRpc } from '#src/messages/define.ts';
import { ledgerProviderSchema } from '#src/ledger/own-account-commands.ts';

export const returnLinesMax = 200;

const returnLineSchema = z.object({
  provider: ledgerProviderSchema,
  currency: z.enum(railCurrencies),
  amount: z.int().positive(),
  bookedAt: z.iso.datetime(),
  returnId: z.string().min(1).max(200),
  /** The payout's own end-to-end id. */
  e2eId: z.string().max(200).nullable(),
  /** Our reference of the payout. One of the two is there. */
  ref: z.string().max(200).nullable(),
});
export type ReturnLine = z.infer<typeof returnLineSchema>;

/**
 * Money on live providers' statements that seems to be a payout which came back, and that no record explains: its
 * notification was lost. The provider is asked about each of these payouts, and what it answers is credited, once however
 * often the line is brought here. What a line says moves nothing.
 */
export const followReturnLines = defineRpc({
  subject: 'rpc.payouts.follow-return-lines.v1',
  owner: 'payouts',
  callers: ['reconciler'],
  request: z.object({ lines: z.array(returnLineSchema).max(returnLinesMax) }),
  reply: z.object({}),
});
