import { z } from 'zod';
import { idSchema, currencySchema, amountSchema } from '@gateway/money';
import { conversionSchema } from '#src/conversions/conversion.ts';
import { quoteSchema } from '#src/conversions/quote.ts';
import { environmentSchema } from '#src/values/environment.ts';
import { listWindow } from '#src/values/list-window.ts';
import { defineRpc } from '#src/messages/define.ts';
import { recordFilter } from '#src/values/record-filter.ts';
import { requestText } from '#src/values/request-text.ts';

const owner = { environment: environmentSchema, accountId: idSchema('account') };
const pair = { from: currencySchema, to: currencySchema };

/**
 * Keeps the rate of the moment for a short time. Refuses CURRENCY_NOT_SUPPORTED for a pair that is not changed,
 * VALIDATION_ERROR on the amount when nothing would come of it, SERVICE_UNAVAILABLE without a fresh rate.
 */
export const createQuote = defineRpc({
  subject: 'rpc.ledger.create-quote.v1',
  owner: 'ledger',
  request: z.object({
    ...owner,
    ...pair,
    /** What is given, or what is got; minor units of that side's currency. */
    fixed: z.enum(['from', 'to']),
    amount: amountSchema,
  }),
  reply: z.object({ quote: quoteSchema }),
});

/** A quote of the account; NOT_FOUND for another's, and for one that was forgotten a week after it was made. */
export const getQuote = defineRpc({
  subject: 'rpc.ledger.get-quote.v1',
  owner: 'ledger',
  request: z.object({ ...owner, id: requestText(0, 120) }),
  reply: z.object({ quote: quoteSchema }),
});

/**
 * Changes money at a quoted rate, or at that of the moment, once per (environment, account, externalId); a repeat
 * answers the record as it is, `created` false. Besides the refusals of a quote: INSUFFICIENT_FUNDS, NOT_FOUND,
 * QUOTE_EXPIRED and QUOTE_ALREADY_USED. It is carried out within a minute of the end of its rate or not at all. A
 * refusal leaves no record, the externalId free and the quote as it was. PROVIDER_TIMEOUT with `conversion_id` and
 * `quote_id` when the outcome is not known in time: the same call again answers it.
 */
export const createConversion = defineRpc({
  subject: 'rpc.ledger.create-conversion.v1',
  owner: 'ledger',
  request: z.object({
    ...owner,
    externalId: requestText(1, 120),
    order: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('quoted'), quoteId: requestText(1, 64) }),
      z.object({ kind: z.literal('market'), ...pair, amount: amountSchema }),
    ]),
  }),
  reply: z.object({ created: z.boolean(), conversion: conversionSchema }),
});

export const getConversion = defineRpc({
  subject: 'rpc.ledger.get-conversion.v1',
  owner: 'ledger',
  request: z.object({ ...owner, id: requestText(0, 120) }),
  reply: z.object({ conversion: conversionSchema }),
});

/** A page of conversions. An unknown or foreign cursor is a VALIDATION_ERROR naming `cursor`. */
export const listConversions = defineRpc({
  subject: 'rpc.ledger.list-conversions.v1',
  owner: 'ledger',
  request: z.object({
    ...owner,
    limit: z.int().min(1).max(200),
    cursor: requestText(0, 120).optional(),
    externalId: requestText(0, 120).optional(),
    /** Of either side. */
    currency: currencySchema.optional(),
    ...listWindow,
  }),
  reply: z.object({ conversions: z.array(conversionSchema), nextCursor: z.string().nullable() }),
});

const { provider: _provider, e2eId: _e2eId, ...conversionFilter } = recordFilter;

/**
 * A page of the conversions of all accounts, newest first; amounts are those of `from`, and a currency is either of the two.
 * An unknown cursor is a VALIDATION_ERROR naming `cursor`.
 */
export const listOperatorConversions = defineRpc({
  subject: 'rpc.ledger.list-operator-conversions.v1',
  owner: 'ledger',
  request: z.object({
    limit: z.int().min(1).max(200),
    cursor: idSchema('conversion').optional(),
    ...conversionFilter,
  }),
  reply: z.object({ conversions: z.array(conversionSchema), nextCursor: z.string().nullable() }),
});

/** A conversion of any account. */
export const getOperatorConversion = defineRpc({
  subject: 'rpc.ledger.get-operator-conversion.v1',
  owner: 'ledger',
  request: z.object({ id: z.string() }),
  reply: z.object({ conversion: conversionSchema }),
});
