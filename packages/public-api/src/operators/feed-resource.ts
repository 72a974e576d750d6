import { z } from 'zod';
import { environmentSchema, requestText } from '@gateway/contracts/values';
import {
  feedGapsShown,
  feedServices,
  unreadItemIdSchema,
  unreadItemStateSchema,
  type FeedGap,
  type FeedState,
  type UnreadItem,
} from '@gateway/contracts/providers';
import { operatorReasonSchema } from '#src/operators/approval.ts';
import { count, isoTime, objectName, text } from '#src/shared/members.ts';
import { onlyPage } from '#src/shared/page.ts';
import { csvQuery, pageLimit } from '#src/shared/page-query.ts';

/** Query of `GET /ops/unread-items`. */
export const unreadItemsQuerySchema = z.strictObject({
  limit: pageLimit,
  cursor: unreadItemIdSchema.optional().describe('The id of the last item received: the page after it.'),
  ...csvQuery,
  state: unreadItemStateSchema.optional().describe('Only items in this state.'),
});

/** Query of `GET /ops/feeds/{id}/gaps`. */
export const feedGapsQuerySchema = z.strictObject({
  limit: pageLimit,
  cursor: requestText(1, 2_000).optional().describe('`next_cursor` of the page before.'),
  ...csvQuery,
});

/** Body of `POST /ops/unread-items/{id}/dismiss`. */
export const dismissUnreadItemRequestSchema = z
  .strictObject({
    reason: operatorReasonSchema.describe('Why it is of no consequence, for the operator who approves.'),
  })
  .meta({ id: 'Dismissal', description: 'Why an item is closed.' });

const skipDaysMax = 31;
export const skipMsMax = skipDaysMax * 86_400_000;

/** Body of `POST /ops/feeds/{id}/skip`. */
export const skipFeedRequestSchema = z
  .strictObject({
    until: z.iso
      .datetime({ offset: true })
      .meta({ examples: ['2026-01-02T11:00:00.000Z'] })
      .describe(
        'Where the list is read on, ISO 8601 with an offset: after `fails_from`, not in the future, and at most ' +
          `${skipDaysMax} days after it.`,
      ),
    reason: operatorReasonSchema.describe('Why the part is skipped, for the operator who approves.'),
  })
  .meta({ id: 'FeedSkip', description: 'Which part of a list is skipped, and why.' });

export const feedGapResourceSchema = z
  .object({
    id: text('The id of the part.', '5e0bd1b6a4b14c0f93f0d6f1c2a7e845'),
    from: isoTime('Where the part begins.'),
    to: isoTime('Where it ends.'),
    cause: text('What could not be parsed, or why it was skipped.', 'amount is no number'),
    found_at: isoTime('When that was found.'),
    attempts: count('How often it was read.'),
    skipped_by: text(
      'The approval by which it was skipped; null for what could not be parsed.',
      'apr_01k9z3m4v6t8x0a2c4e6g8jk02',
    ).nullable(),
  })
  .meta({ id: 'FeedGap', description: 'A part of a list that could not be parsed, or was skipped.' });

export const feedResourceSchema = z
  .object({
    id: text('The id of the list.', 'deposits.live.efi.payments'),
    object: objectName('feed'),
    service: z.enum(feedServices).describe('The service that reads it.'),
    environment: environmentSchema.describe('The environment of its records.'),
    provider: text('The provider whose list it is.', 'efi'),
    feed: text('Which list of the provider it is.', 'received'),
    read_until: isoTime('Until when it has been read.'),
    failing_since: isoTime('Since when it cannot be read; null while it can.').nullable(),
    failure: text('Why it cannot be read.', 'the provider answers 503').nullable(),
    fails_from: isoTime('Where the part begins that cannot be read; null while all can.').nullable(),
    gaps: z
      .array(feedGapResourceSchema)
      .describe(
        'Parts that could not be parsed, or were skipped; they are read again every hour. The oldest of them, at most ' +
          `${feedGapsShown}.`,
      ),
    gap_count: count('How many such parts there are.'),
  })
  .meta({ id: 'Feed', description: 'A list of a provider, and how far it has been read.' });

export const unreadItemResourceSchema = z
  .object({
    id: text('The id of the item.', '0123456789abcdef0123456789abcdef'),
    object: objectName('unread_item'),
    service: z.enum(feedServices).describe('The service that read it.'),
    environment: environmentSchema.describe('The environment it belongs to.'),
    provider: text('The provider it came from.', 'efi'),
    feed: text('The list of the provider it came from.', 'received'),
    key: text('How the provider names it.', 'E12345678202601021004abcdef12345'),
    state: unreadItemStateSchema.describe('What has become of it.'),
    cause: text('Why it could not be applied.', 'no deposit has this txid').nullable(),
    attempts: count('How often it was tried.'),
    first_seen: isoTime('When it was read first.'),
    next_attempt_at: isoTime('When it is tried again; null when it is not.').nullable(),
    raw: text('The item as it was read, as JSON.', '{"txid":"…"}').nullable(),
  })
  .meta({ id: 'UnreadItem', description: 'An item of a provider that could not be applied.' });

export const feedsResourceSchema = z
  .object({ data: z.array(feedResourceSchema).describe('Every list that is read.'), ...onlyPage })
  .meta({ id: 'FeedList', description: 'How far the lists of the providers have been read.' });

export function presentFeed(state: FeedState): z.infer<typeof feedResourceSchema> {
  return {
    id: [state.service, state.environment, state.provider, state.feed].join('.'),
    object: 'feed',
    service: state.service,
    environment: state.environment,
    provider: state.provider,
    feed: state.feed,
    read_until: state.readUntil,
    failing_since: state.failingSince,
    failure: state.failure,
    fails_from: state.failsFrom,
    gaps: state.gaps.map(presentFeedGap),
    gap_count: state.gapCount,
  };
}

export function presentFeedGap({ foundAt, skippedBy, ...gap }: FeedGap): z.infer<typeof feedGapResourceSchema> {
  return { ...gap, found_at: foundAt, skipped_by: skippedBy };
}

export function presentUnreadItem(item: UnreadItem): z.infer<typeof unreadItemResourceSchema> {
  const { firstSeen, nextAttemptAt, ...rest } = item;
  return { object: 'unread_item', ...rest, first_seen: firstSeen, next_attempt_at: nextAttemptAt };
}
