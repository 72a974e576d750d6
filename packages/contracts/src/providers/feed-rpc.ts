import { z } from 'zod';
import { environmentSchema } from '#src/values/environment.ts';
import { defineRpc } from '#src/messages/define.ts';

/** The services that read lists of providers. */
export const feedServices = ['deposits', 'payouts', 'reconciler'] as const;
export type FeedService = (typeof feedServices)[number];

/** ISO 8601 UTC with milliseconds. */
const timeSchema = z.string();

/** A part of a list that could not be parsed, or that two operators have skipped; it is read again every hour. */
const feedGapSchema = z.object({
  /** Follows from its list, its ends and its page; empty from an earlier version of a service. */
  id: z.string().default(''),
  from: timeSchema,
  to: timeSchema,
  cause: z.string(),
  foundAt: timeSchema,
  attempts: z.int(),
  /** The approval by which it was skipped; null for what could not be parsed. */
  skippedBy: z.string().nullable().default(null),
});

/** How many gaps a list is shown with; those behind them are a list of their own. */
export const feedGapsShown = 100;

/** How far a list of a provider has been read. */
export const feedStateSchema = z.object({
  service: z.enum(feedServices),
  environment: environmentSchema,
  provider: z.string(),
  feed: z.string(),
  readUntil: timeSchema,
  /** Since when it cannot be read, and why; null while it can. */
  failingSince: timeSchema.nullable(),
  failure: z.string().nullable(),
  /** Where the part begins that cannot be read; null while all can. */
  failsFrom: timeSchema.nullable().default(null),
  /** The oldest, at most `feedGapsShown` of them. */
  gaps: z.array(feedGapSchema),
  /** All of them; an earlier version of a service does not count them. */
  gapCount: z.int().nonnegative().default(0),
});
export type FeedState = z.infer<typeof feedStateSchema>;
export type FeedGap = FeedState['gaps'][number];

/**
 * - `WAITING`: cannot be taken yet, and is tried again
 * - `UNREADABLE`: does not fit what its provider describes
 * - `UNCONFIRMED`: the provider does not confirm it when asked
 * - `FOREIGN`: about nothing recorded here
 */
export const unreadItemStateSchema = z.enum(['WAITING', 'UNREADABLE', 'UNCONFIRMED', 'FOREIGN', 'DISMISSED']);

/** An item of a provider's list, or a notification in its name, that has not been applied. */
export const unreadItemSchema = z.object({
  id: z.string(),
  service: z.enum(feedServices),
  environment: environmentSchema,
  provider: z.string(),
  feed: z.string(),
  key: z.string(),
  state: unreadItemStateSchema,
  cause: z.string().nullable(),
  attempts: z.int(),
  firstSeen: timeSchema,
  /** Null when it is not tried any more. */
  nextAttemptAt: timeSchema.nullable(),
  /** JSON as it was read. */
  raw: z.string().nullable(),
});
export type UnreadItem = z.infer<typeof unreadItemSchema>;

function listFeedsOf<S extends FeedService>(service: S) {
  return defineRpc({
    subject: `rpc.${service}.list-feeds.v1`,
    owner: service,
    request: z.object({}),
    reply: z.object({ feeds: z.array(feedStateSchema) }),
  });
}

/** The gaps of one list, oldest first. NOT_FOUND for a list that is not read here; VALIDATION_ERROR for a cursor that no page had. */
function listFeedGapsOf<S extends FeedService>(service: S) {
  return defineRpc({
    subject: `rpc.${service}.list-feed-gaps.v1`,
    owner: service,
    request: z.object({
      environment: environmentSchema,
      provider: z.string(),
      feed: z.string(),
      limit: z.int().min(1).max(200),
      /** `nextCursor` of the page before. */
      cursor: z.string().optional(),
    }),
    reply: z.object({ gaps: z.array(feedGapSchema), nextCursor: z.string().nullable() }),
  });
}

/** Begins with when the item was seen first, so that one order holds across services. */
export const unreadItemIdSchema = z.string().regex(/^[0-9a-f]{32}$/);

/** Oldest first; `after` is the last one of the page before, whatever has become of it since. */
function listUnreadItemsOf<S extends FeedService>(service: S) {
  return defineRpc({
    subject: `rpc.${service}.list-unread-items.v1`,
    owner: service,
    request: z.object({
      limit: z.int().min(1).max(200),
      after: unreadItemIdSchema.optional(),
      state: unreadItemStateSchema.optional(),
    }),
    reply: z.object({ items: z.array(unreadItemSchema), hasMore: z.boolean().default(false) }),
  });
}

/** NOT_FOUND for one that does not exist or has been applied. */
function getUnreadItemOf<S extends FeedService>(service: S) {
  return defineRpc({
    subject: `rpc.${service}.get-unread-item.v1`,
    owner: service,
    request: z.object({ id: unreadItemIdSchema }),
    reply: z.object({ item: unreadItemSchema }),
  });
}

/**
 * By two operators: it is not tried again and raises no alert. Asked again, it changes nothing. NOT_FOUND for one that does
 * not exist, has been applied, or was reported anew since: then it is another item.
 */
function dismissUnreadItemOf<S extends FeedService>(service: S) {
  return defineRpc({
    subject: `rpc.${service}.dismiss-unread-item.v1`,
    owner: service,
    request: z.object({ id: z.string().min(1).max(80) }),
    reply: z.object({ before: unreadItemSchema, item: unreadItemSchema }),
  });
}

/** It is tried at once, whenever it would have been. NOT_FOUND as above; INVALID_STATE for one that two operators dismissed. */
function retryUnreadItemOf<S extends FeedService>(service: S) {
  return defineRpc({
    subject: `rpc.${service}.retry-unread-item.v1`,
    owner: service,
    request: z.object({ id: unreadItemIdSchema }),
    reply: z.object({ before: unreadItemSchema, item: unreadItemSchema }),
  });
}

/**
 * By two operators: readers that fail between two moments go on behind them, and what they leave out is a gap of the list,
 * which is read again every hour until it can be. Asked again with the same approval, it changes nothing. NOT_FOUND for a list
 * that is not read here; INVALID_STATE where no reader fails between the two.
 */
function skipFeedOf<S extends FeedService>(service: S) {
  return defineRpc({
    subject: `rpc.${service}.skip-feed.v1`,
    owner: service,
    request: z.object({
      environment: environmentSchema,
      provider: z.string(),
      feed: z.string(),
      from: timeSchema,
      until: timeSchema,
      approvalId: z.string(),
      reason: z.string(),
    }),
    reply: z.object({ before: feedStateSchema, feed: feedStateSchema }),
  });
}

export const listDepositFeeds = listFeedsOf('deposits');
export const listPayoutFeeds = listFeedsOf('payouts');
export const listReconcilerFeeds = listFeedsOf('reconciler');
export const listDepositFeedGaps = listFeedGapsOf('deposits');
export const listPayoutFeedGaps = listFeedGapsOf('payouts');
export const listReconcilerFeedGaps = listFeedGapsOf('reconciler');
export const listDepositUnreadItems = listUnreadItemsOf('deposits');
export const listPayoutUnreadItems = listUnreadItemsOf('payouts');
export const listReconcilerUnreadItems = listUnreadItemsOf('reconciler');
export const getDepositUnreadItem = getUnreadItemOf('deposits');
export const getPayoutUnreadItem = getUnreadItemOf('payouts');
export const getReconcilerUnreadItem = getUnreadItemOf('reconciler');
export const dismissDepositUnreadItem = dismissUnreadItemOf('deposits');
export const dismissPayoutUnreadItem = dismissUnreadItemOf('payouts');
export const dismissReconcilerUnreadItem = dismissUnreadItemOf('reconciler');
export const retryDepositUnreadItem = retryUnreadItemOf('deposits');
export const retryPayoutUnreadItem = retryUnreadItemOf('payouts');
export const retryReconcilerUnreadItem = retryUnreadItemOf('reconciler');
export const skipDepositFeed = skipFeedOf('deposits');
export const skipPayoutFeed = skipFeedOf('payouts');
export const skipReconcilerFeed = skipFeedOf('reconciler');
