import { z } from 'zod';
import { environmentSchema } from '@gateway/contracts/values';
import {
  feedServices,
  unreadItemIdSchema,
  unreadItemStateSchema,
  type FeedState,
  type UnreadItem,
} from '@gateway/contracts/providers';
import { operatorReasonSchema } from '#src/operators/approval.ts';
import { pageLimitDefault, pageLimitMax } from '#src/shared/page.ts';

/** Query of `GET /ops/unread-items`. */
export const unreadItemsQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(pageLimitMax).default(pageLimitDefault),
  cursor: unreadItemIdSchema.optional(),
  state: unreadItemStateSchema.optional(),
});

/** Body of `POST /ops/unread-items/{id}/dismiss`. */
export const dismissUnreadItemRequestSchema = z.strictObject({
  reason: operatorReasonSchema.describe('Why it is of no consequence, for the operator who approves'),
});

export const feedResourceSchema = z.object({
  object: z.literal('feed'),
  service: z.enum(feedServices),
  environment: environmentSchema,
  provider: z.string(),
  feed: z.string(),
  read_until: z.string().describe('ISO 8601'),
  failing_since: z.string().nullable().describe('ISO 8601; null while it can be read'),
  failure: z.string().nullable(),
  gaps: z
    .array(z.object({ from: z.string(), to: z.string(), cause: z.string(), found_at: z.string(), attempts: z.int() }))
    .describe('Parts that could not be parsed; they are read again every hour'),
});

export const unreadItemResourceSchema = z.object({
  id: z.string(),
  object: z.literal('unread_item'),
  service: z.enum(feedServices),
  environment: environmentSchema,
  provider: z.string(),
  feed: z.string(),
  key: z.string(),
  state: unreadItemStateSchema,
  cause: z.string().nullable(),
  attempts: z.int(),
  first_seen: z.string().describe('ISO 8601'),
  next_attempt_at: z.string().nullable().describe('ISO 8601; null when it is not tried any more'),
  raw: z.string().nullable().describe('JSON as it was read'),
});

export const feedsResourceSchema = z.object({ data: z.array(feedResourceSchema) });

export function presentFeed(state: FeedState): z.infer<typeof feedResourceSchema> {
  return {
    object: 'feed',
    service: state.service,
    environment: state.environment,
    provider: state.provider,
    feed: state.feed,
    read_until: state.readUntil,
    failing_since: state.failingSince,
    failure: state.failure,
    gaps: state.gaps.map(({ foundAt, ...gap }) => ({ ...gap, found_at: foundAt })),
  };
}

export function presentUnreadItem(item: UnreadItem): z.infer<typeof unreadItemResourceSchema> {
  const { firstSeen, nextAttemptAt, ...rest } = item;
  return { object: 'unread_item', ...rest, first_seen: firstSeen, next_attempt_at: nextAttemptAt };
}
