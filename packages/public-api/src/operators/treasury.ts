import { z } from 'zod';
import {
  holdReasonSchema,
  treasuryOrderSchema,
  type TreasuryOrder,
  type UncoveredPosition,
} from '@gateway/contracts/conversions';
import { requestText } from '@gateway/contracts/values';
import { currencySchema } from '@gateway/money';
import { operatorReasonSchema } from '#src/operators/approval.ts';
import { count, minorUnits, objectName, recordId, text, unixSeconds } from '#src/shared/members.ts';
import { pageQuery } from '#src/shared/page-query.ts';
import { secondsPeriodQuery } from '#src/shared/time-query.ts';

/** What live conversions from a currency owe in USDT. */
export const uncoveredResourceSchema = z
  .object({
    object: objectName('uncovered_conversions'),
    currency: currencySchema.describe('The currency that was converted.'),
    conversions: count('How many conversions are not covered.', 2),
    owed_cents: minorUnits('The USDT that they owe.', 20_000),
    given_cents: minorUnits('What merchants gave for it, in the currency.', 108_000),
    uncovered_cents: minorUnits(
      'The USDT that is still to be bought; negative where more was bought than was needed.',
      0,
    ),
    since: unixSeconds('When the oldest of them was made.').nullable(),
    order: recordId('treasuryOrder', 'The order that is open for it.').nullable(),
    held_reason: holdReasonSchema.describe('Why nothing is ordered: the market is outside of the bounds.').nullable(),
    held_detail: text('What the market asks for.', '53.8 is asked for one USDT').nullable(),
    held_since: unixSeconds('Since when nothing is ordered.').nullable(),
  })
  .meta({ id: 'UncoveredConversions', description: 'What live conversions from a currency owe in USDT.' });

/** Body of `POST /ops/conversions/uncovered/cover`. */
export const coverRequestSchema = z
  .strictObject({
    currency: currencySchema.describe('The currency whose conversions were covered by hand.'),
    reason: operatorReasonSchema.describe('Where the USDT was bought, for the other operators.'),
  })
  .meta({ id: 'CoverRequest', description: 'Conversions whose USDT was bought outside of the gateway.' });

export function presentUncovered({ held, ...position }: UncoveredPosition): z.infer<typeof uncoveredResourceSchema> {
  return {
    object: 'uncovered_conversions',
    currency: position.currency,
    conversions: position.conversions,
    owed_cents: position.owed,
    given_cents: position.given,
    uncovered_cents: position.uncovered,
    since: position.since,
    order: position.order,
    held_reason: held?.reason ?? null,
    held_detail: held?.detail ?? null,
    held_since: held?.since ?? null,
  };
}

/** Query of `GET /ops/conversions/orders`. */
export const treasuryOrdersQuerySchema = z.strictObject({
  ...pageQuery('treasuryOrder'),
  venue: requestText(1, 40).optional().describe('Only orders at this exchange.'),
  currency: currencySchema.optional().describe('Only orders that pay with this currency.'),
  state: treasuryOrderSchema.shape.state.optional().describe('Only orders in this state.'),
  result: treasuryOrderSchema.shape.result.unwrap().optional().describe('Only orders that ended so.'),
  ...secondsPeriodQuery,
});

/** An order for USDT at an exchange, as operators see it. */
export const treasuryOrderResourceSchema = z
  .object({
    id: recordId('treasuryOrder', 'The order; the exchange knows it by this id.'),
    object: objectName('treasury_order'),
    venue: text('The exchange.', 'bitso'),
    currency: currencySchema.describe('What is paid with.'),
    state: treasuryOrderSchema.shape.state.describe('`DONE`: all that was found of it is booked.'),
    result: treasuryOrderSchema.shape.result.describe('How it ended; null before.'),
    amount: text('How much USDT it is to buy, decimal.', '100.11'),
    price_max: text('What one USDT may cost at most, decimal.', '5.43'),
    spent: text('What was spent, decimal.', '538.5918'),
    bought: text('What was bought before the fee, decimal.', '100.11'),
    fee: text('The fee, in USDT, decimal.', '0.10011'),
    venue_order_id: text('The id that the exchange gave it.', 'o1').nullable(),
    problem: text('Why it did not go as it should.', 'provider_balance').nullable(),
    created_at: unixSeconds('When it was recorded.'),
    ended_at: unixSeconds('When it ended.').nullable(),
  })
  .meta({ id: 'TreasuryOrder', description: 'An order for USDT at an exchange.' });

export function presentTreasuryOrder(order: TreasuryOrder): z.infer<typeof treasuryOrderResourceSchema> {
  const { id, venue, currency, state, result, amount, spent, bought, fee, problem } = order;
  return {
    ...{ id, object: 'treasury_order', venue, currency, state, result, amount, price_max: order.priceMax },
    ...{ spent, bought, fee, venue_order_id: order.venueOrderId, problem },
    ...{ created_at: order.createdAt, ended_at: order.endedAt },
  };
}
