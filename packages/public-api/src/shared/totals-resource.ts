import { z } from 'zod';
import type { ReplyOf } from '@gateway/contracts/messages';
import { environmentSchema } from '@gateway/contracts/values';
import { type getTotals, totalsPeriodSchema, webhookEventSchema } from '@gateway/contracts/webhooks';
import { currencySchema, idSchema } from '@gateway/money';
import { eventFilterQuery } from '#src/shared/event-query.ts';
import { count, minorUnits, objectName, text, unixSeconds } from '#src/shared/members.ts';
import { periodQuery } from '#src/shared/time-query.ts';

const filters = {
  ...periodQuery,
  by: totalsPeriodSchema.default('day').describe('`hour`: one total an hour; `day`: one for each day in `zone`.'),
  event: eventFilterQuery,
  currency: currencySchema.optional().describe('Only totals in this currency.'),
};

/** Query of `GET /v1/totals`. */
export const totalsQuerySchema = z.strictObject(filters);
export type TotalsQuery = z.infer<typeof totalsQuerySchema>;

/** Query of `GET /ops/totals`. */
export const operatorTotalsQuerySchema = z.strictObject({
  environment: environmentSchema.describe('The environment of the records.'),
  account_id: idSchema('account').optional().describe('Only of this account; left out, of all together.'),
  ...filters,
});

const total = {
  object: objectName('total'),
  event: webhookEventSchema.describe('The name of the events.'),
  currency: currencySchema.describe('The currency of the amount.'),
  at: unixSeconds('When the hour or the day begins.'),
  count: count('How many events there were.'),
  amount_cents: minorUnits('What their records add up to; of returns and refunds, what went back.'),
};

/** Query of `GET /ops/provider-totals`. */
export const providerTotalsQuerySchema = z.strictObject({
  environment: environmentSchema.describe('The environment of the records.'),
  ...filters,
});

const totalSchema = z.object(total).meta({
  id: 'Total',
  description: 'How many events of a name there were in an hour or a day, and what they add up to.',
});

const providerTotalSchema = z
  .object({ ...total, object: objectName('provider_total'), provider: text('At which provider.', 'efi') })
  .meta({ id: 'ProviderTotal', description: 'A total of one provider, of all accounts together.' });

/** Totals of a period; the same in every contract. */
export const totalsResourceSchema = z
  .object({
    data: z.array(totalSchema).describe('The totals, the first hour or day first; one without events has none.'),
    as_of: unixSeconds('Until when they are complete: they follow the events within seconds.'),
  })
  .meta({ id: 'Totals', description: 'How many events there were, and what they add up to, by the hour or the day.' });

/** Totals of a period by provider, for operators. */
export const providerTotalsResourceSchema = z
  .object({
    data: z
      .array(providerTotalSchema)
      .describe('The totals, the first hour or day first; one without events has none.'),
    as_of: unixSeconds('Until when they are complete: they follow the events within seconds.'),
  })
  .meta({ id: 'ProviderTotals', description: 'How many events there were at each provider, and what they add up to.' });

export function presentProviderTotals({
  totals,
  asOf,
}: ReplyOf<typeof getTotals>): z.infer<typeof providerTotalsResourceSchema> {
  const data = totals.flatMap(({ event, currency, at, count: events, amount, provider }) => {
    if (provider === null) return [];
    return { object: 'provider_total' as const, event, currency, at, count: events, amount_cents: amount, provider };
  });
  return { data, as_of: asOf };
}

export function presentTotals({ totals, asOf }: ReplyOf<typeof getTotals>): z.infer<typeof totalsResourceSchema> {
  const data = totals.map(({ event, currency, at, count: events, amount }) => {
    return { object: 'total' as const, event, currency, at, count: events, amount_cents: amount };
  });
  return { data, as_of: asOf };
}
