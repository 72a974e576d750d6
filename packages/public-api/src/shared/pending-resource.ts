import { z } from 'zod';
import type { getPending } from '@gateway/contracts/ledger';
import type { ReplyOf } from '@gateway/contracts/messages';
import { currencySchema } from '@gateway/money';
import { count, minorUnits, text } from '#src/shared/members.ts';

const releaseSchema = z
  .object({
    release_on: text('A date in `zone`.', '2026-01-05'),
    currency: currencySchema.describe('The currency of the amount.'),
    amount_cents: minorUnits('What becomes available.', 1_940),
    deposits: count('How many deposits it is of.'),
  })
  .meta({ id: 'PendingRelease', description: 'What becomes available on one day.' });

/** What is pending, by the day on which it becomes available; the same in every contract. */
export const pendingResourceSchema = z
  .object({ data: z.array(releaseSchema).describe('The days, the first of them first.') })
  .meta({ id: 'PendingReleases', description: 'What is pending, by the day on which it becomes available.' });

export function presentPending({ releases }: ReplyOf<typeof getPending>): z.infer<typeof pendingResourceSchema> {
  return {
    data: releases.map(({ releaseOn, currency, amount, deposits }) => {
      return { release_on: releaseOn, currency, amount_cents: amount, deposits };
    }),
  };
}
