import { z } from 'zod';
import type { getPending } from '@gateway/contracts/ledger';
import type { ReplyOf } from '@gateway/contracts/messages';
import { currencySchema } from '@gateway/money';

/** What is pending, by the day on which it becomes available; the same in every contract. */
export const pendingResourceSchema = z.object({
  data: z.array(
    z.object({
      release_on: z.string().describe('a date in `zone`: YYYY-MM-DD'),
      currency: currencySchema,
      amount_cents: z.int().describe('in the smallest unit of the currency'),
      deposits: z.int().describe('how many deposits it is of'),
    }),
  ),
});

export function presentPending({ releases }: ReplyOf<typeof getPending>): z.infer<typeof pendingResourceSchema> {
  return {
    data: releases.map(({ releaseOn, currency, amount, deposits }) => {
      return { release_on: releaseOn, currency, amount_cents: amount, deposits };
    }),
  };
}
