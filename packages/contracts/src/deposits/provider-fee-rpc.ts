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
});
export type FeeLine = z.infer<typeof feeLineSchema>;

const request = z.object({ fees: z.array(feeLineSchema).max(providerFeesMax) });
/** The lines that are booked by now. */
const reply = z.object({ booked: z.array(z.string()) });

/**
 * Fees on live providers' statements. Those that are among the provider's prices are booked, once however often they are
 * asked for; the others are left to operators.
 */
export const bookProviderFees = defineRpc({
  subject: 'rpc.deposits.book-provider-fees.v1',
  owner: 'deposits',
  callers: ['reconciler'],
  request,
  reply,
});

/** Fees that two operators have approved: they are booked without a price. Who reads statements may not ask for this. */
export const bookApprovedFees = defineRpc({
  subject: 'rpc.deposits.book-approved-fees.v1',
  owner: 'deposits',
  callers: ['api-gateway'],
  request,
  reply,
});
