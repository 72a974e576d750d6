import { z } from 'zod';
import { listOrderSchema, requestText } from '@gateway/contracts/values';
import { webhookEventSchema, type WebhookEvent } from '@gateway/contracts/webhooks';
import { idSchema } from '@gateway/money';
import { booleanSchema, pageLimit } from '#src/shared/page-query.ts';
import { periodQuery } from '#src/shared/time-query.ts';

const names = webhookEventSchema.options;
const kinds = [...new Set(names.map((name) => `${name.split('.', 1)[0] ?? ''}.*`))];
const filters: readonly [string, ...string[]] = ['*', ...kinds, ...names];
const filterSchema = z.enum(filters, 'must be the name of an event, or one that ends in .*, such as deposit.*');

/** The names that the filters choose; all are no filter. */
function chosenBy(chosen: readonly string[]): WebhookEvent[] | undefined {
  if (chosen.includes('*')) return undefined;
  return names.filter((name) => chosen.some((filter) => filter === name || isOfKind(name, filter)));
}

function isOfKind(name: string, filter: string): boolean {
  return filter.endsWith('.*') && name.startsWith(filter.slice(0, -1));
}

/** One filter of a query, or several under the same name. */
export const eventFilterQuery = z
  .preprocess((given) => (typeof given === 'string' ? [given] : given), z.array(filterSchema).max(filters.length))
  .transform(chosenBy)
  .optional()
  .describe('Only these events: names, or a kind such as `deposit.*`; the parameter may be repeated.');

const dataIdFilter = requestText(1, 64).optional().describe('Only events about the record with this id.');

/** Query of `GET /v1/events`. */
export const eventsQuerySchema = z.strictObject({
  limit: pageLimit,
  cursor: idSchema('event').optional().describe('The id of the last event received: the page after it.'),
  ...periodQuery,
  order: listOrderSchema.default('desc').describe('`desc`: newest first; `asc`: in the order they were recorded.'),
  event: eventFilterQuery,
  data_id: dataIdFilter,
});

/** Query of `GET /v1/events/stream`. */
export const eventStreamQuerySchema = z.strictObject({
  event: eventFilterQuery,
  data_id: dataIdFilter,
  after: idSchema('event')
    .optional()
    .describe('The id of the event to go on after; the header `Last-Event-ID` comes before it. Without either: now.'),
  follow: booleanSchema.default(true).describe('`false`: the stream ends when it has caught up with the log.'),
});
