import { z } from 'zod';
import { amountSchema, currencySchema, idSchema, minorUnitsSchema } from '@gateway/money';
import { defineRpc } from '#src/messages/define.ts';
import { listWindow } from '#src/values/list-window.ts';

/**
 * Why nothing is ordered although USDT is owed: the market takes no order that is small enough for what is owed, asks for
 * more than what merchants gave allows, or has figures that cannot be those of a market.
 */
export const holdReasonSchema = z.enum(['too_large', 'too_dear', 'implausible']);
export type HoldReason = z.infer<typeof holdReasonSchema>;

const holdSchema = z.object({
  venue: z.string(),
  reason: holdReasonSchema,
  detail: z.string(),
  /** Unix seconds. */
  since: z.int(),
});

/** What live conversions from a currency owe in USDT that has not been bought. Minor units. */
export const uncoveredPositionSchema = z.object({
  currency: currencySchema,
  conversions: z.int(),
  /** The youngest of them. */
  through: idSchema('conversion').nullable(),
  owed: minorUnitsSchema,
  /** What merchants gave for it. */
  given: minorUnitsSchema,
  /** `owed` less what was bought beyond earlier conversions. */
  uncovered: minorUnitsSchema,
  /** When the oldest was made, Unix seconds. */
  since: z.int().nullable(),
  /** The order that is open for it. */
  order: idSchema('treasuryOrder').nullable(),
  held: holdSchema.nullable(),
});
export type UncoveredPosition = z.infer<typeof uncoveredPositionSchema>;

/** Of every currency that can be converted. */
export const listUncovered = defineRpc({
  subject: 'rpc.ledger.list-uncovered.v1',
  owner: 'ledger',
  request: z.object({}),
  reply: z.object({ positions: z.array(uncoveredPositionSchema) }),
});

/**
 * Marks conversions up to `through` as covered by hand, as two operators have decided; books nothing, since what was bought is
 * held outside. INVALID_STATE while an order is open for the currency, and where they do not owe `owed` any more. Asked again
 * under the same approval, it answers without a change.
 */
export const coverByHand = defineRpc({
  subject: 'rpc.ledger.cover-by-hand.v1',
  owner: 'ledger',
  request: z.object({
    currency: currencySchema,
    through: idSchema('conversion'),
    owed: amountSchema,
    /** What orders had left over then; null of a proposal of an older release. */
    surplus: minorUnitsSchema.nullable().default(null),
    approvalId: idSchema('approval'),
  }),
  reply: z.object({ before: uncoveredPositionSchema, after: uncoveredPositionSchema }),
});

/** An order at an exchange. Decimal texts are exact. */
export const treasuryOrderSchema = z.object({
  id: idSchema('treasuryOrder'),
  venue: z.string(),
  currency: currencySchema,
  state: z.enum(['RECORDED', 'SENDING', 'SENT', 'UNKNOWN', 'REFUSED', 'BOOKING', 'LATE', 'DONE']),
  result: z.enum(['FILLED', 'PARTIALLY_FILLED', 'UNFILLED']).nullable(),
  amount: z.string(),
  priceMax: z.string(),
  spent: z.string(),
  bought: z.string(),
  fee: z.string(),
  venueOrderId: z.string().nullable(),
  problem: z.string().nullable(),
  /** Unix seconds. */
  createdAt: z.int(),
  endedAt: z.int().nullable(),
});
export type TreasuryOrder = z.infer<typeof treasuryOrderSchema>;

/** A page of orders, newest first. An unknown cursor is a VALIDATION_ERROR naming `cursor`. */
export const listTreasuryOrders = defineRpc({
  subject: 'rpc.ledger.list-treasury-orders.v1',
  owner: 'ledger',
  request: z.object({
    limit: z.int().min(1).max(200),
    cursor: idSchema('treasuryOrder').optional(),
    venue: z.string().optional(),
    currency: currencySchema.optional(),
    state: treasuryOrderSchema.shape.state.optional(),
    result: treasuryOrderSchema.shape.result.unwrap().optional(),
    from: listWindow.from,
    to: listWindow.to,
  }),
  reply: z.object({ orders: z.array(treasuryOrderSchema), nextCursor: z.string().nullable() }),
});
