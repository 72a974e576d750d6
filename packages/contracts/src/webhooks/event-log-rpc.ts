import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { defineRpc } from '#src/messages/define.ts';
import { environmentSchema } from '#src/values/environment.ts';
import { listOrderSchema } from '#src/values/list-window.ts';
import { shownIn } from '#src/values/shown-page.ts';
import { deliverySchema, webhookEventSchema } from '#src/webhooks/webhook.ts';

const owner = { environment: environmentSchema, accountId: idSchema('account') };

/** An event of an account, with its record as it was then, in the contract that was asked for. */
export const loggedEventSchema = z.object({
  id: idSchema('event'),
  environment: environmentSchema,
  event: webhookEventSchema,
  /** Unix seconds. */
  createdAt: z.int(),
  dataId: z.string(),
  data: z.record(z.string(), z.unknown()),
});
export type LoggedEvent = z.infer<typeof loggedEventSchema>;

/**
 * A page of the event log of an account, in the order in which its events were recorded. It is the same for every reader:
 * none ever appears before one that was answered already. A narrowed page may be short; the log ends where `nextCursor` is
 * null. Refuses a cursor that is no event of the log, or no longer (VALIDATION_ERROR on `cursor`).
 *
 * `seen` is the last event that was looked at, whether or not it is on the page: a reader that goes on from it misses none.
 */
export const listEvents = defineRpc({
  subject: 'rpc.webhooks.list-events.v1',
  owner: 'webhooks',
  request: z.object({
    ...owner,
    ...shownIn,
    limit: z.int().min(1).max(200),
    cursor: z.string().optional(),
    order: listOrderSchema,
    /** Unix seconds: from the first on and before the second. */
    from: z.number().optional(),
    to: z.number().optional(),
    events: z.array(webhookEventSchema).optional(),
    dataId: z.string().optional(),
  }),
  reply: z.object({
    events: z.array(loggedEventSchema),
    nextCursor: z.string().nullable(),
    seen: z.string().nullable().default(null),
  }),
});

/**
 * From when on the log of an environment has every event: it began with an upgrade, and what is older than it is kept is
 * dropped by the day.
 */
export const getEventLogStart = defineRpc({
  subject: 'rpc.webhooks.get-event-log-start.v1',
  owner: 'webhooks',
  request: z.object({ environment: environmentSchema }),
  /** Unix seconds. */
  reply: z.object({ since: z.int() }),
});

/** NOT_FOUND for an event that is older than the log is kept. */
export const getEvent = defineRpc({
  subject: 'rpc.webhooks.get-event.v1',
  owner: 'webhooks',
  request: z.object({ ...owner, ...shownIn, id: z.string() }),
  reply: z.object({ event: loggedEventSchema }),
});

/** The deliveries of one event, to webhooks and to a callback URL, newest first. */
export const listEventDeliveries = defineRpc({
  subject: 'rpc.webhooks.list-event-deliveries.v1',
  owner: 'webhooks',
  request: z.object({ ...owner, id: z.string() }),
  reply: z.object({ deliveries: z.array(deliverySchema) }),
});

/** Sends an event of the log to an endpoint, which may be newer; one that was given it before gets it again. */
export const deliverEvent = defineRpc({
  subject: 'rpc.webhooks.deliver-event.v1',
  owner: 'webhooks',
  request: z.object({ ...owner, id: z.string(), webhookId: z.string() }),
  reply: z.object({ delivery: deliverySchema }),
});

/**
 * Gives an endpoint what its filter takes of a period and what it was never given, in the background. LIMIT_REACHED for more
 * than 100,000 events, INVALID_STATE while it is disabled.
 */
export const replayEvents = defineRpc({
  subject: 'rpc.webhooks.replay-events.v1',
  owner: 'webhooks',
  request: z.object({
    ...owner,
    webhookId: z.string(),
    /** Unix seconds: events from the first on and before the second, which is now by default. */
    since: z.int().nonnegative(),
    until: z.int().nonnegative().optional(),
    events: z.array(webhookEventSchema).optional(),
  }),
  reply: z.object({ count: z.int() }),
});
