import type { z } from 'zod';
import { NotFoundError } from '@gateway/contracts/errors';
import {
  listDepositFeedGaps,
  listDepositFeeds,
  listDepositUnreadItems,
  listPayoutFeedGaps,
  listPayoutFeeds,
  listPayoutUnreadItems,
  listReconcilerFeedGaps,
  listReconcilerFeeds,
  listReconcilerUnreadItems,
  retryDepositUnreadItem,
  retryPayoutUnreadItem,
  retryReconcilerUnreadItem,
  unreadItemIdSchema,
  type FeedService,
} from '@gateway/contracts/providers';
import { type Askable, callRpc, NoAnswerError } from '@gateway/messaging';
import {
  approvalAnswerSchema,
  dismissUnreadItemRequestSchema,
  feedGapResourceSchema,
  feedGapsQuerySchema,
  feedsResourceSchema,
  presentFeed,
  presentFeedGap,
  presentUnreadItem,
  skipFeedRequestSchema,
  unreadItemResourceSchema,
  unreadItemsQuerySchema,
} from '@gateway/public-api';
import { presentApproval } from '#src/approvals/approval.ts';
import { auditAcross } from '#src/approvals/audit.ts';
import { actOf, operatorEndpoint, type OperatorCall } from '#src/operator/operator-endpoint.ts';
import { operatorList } from '#src/operator/operator-list.ts';
import { findUnreadItem, proposeDismissal } from '#src/proposals/dismiss-unread-item.ts';
import { findFeed, proposeSkip } from '#src/proposals/skip-feed.ts';

export const feedEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/feeds',
    operation: 'listFeeds',
    permission: 'operations:read',
    summary: "List how far each provider's lists have been read, with what could not be",
    description:
      'Answers with every list of a provider that is read for payments and returns: until when it has been read, ' +
      'since when it fails, and which parts could not be parsed, the oldest of them.',
    answers: { 200: feedsResourceSchema },
    handle: async (_call, { bus }) => {
      const replies = await Promise.all([
        callRpc(bus, listDepositFeeds, {}),
        callRpc(bus, listPayoutFeeds, {}),
        orNone(callRpc(bus, listReconcilerFeeds, {}), { feeds: [] }),
      ]);
      return { status: 200, body: { data: replies.flatMap(({ feeds }) => feeds.map(presentFeed)), next_cursor: null } };
    },
  }),
  operatorList({
    path: '/ops/feeds/:id/gaps',
    operation: 'listFeedGaps',
    permission: 'operations:read',
    summary: 'List the parts of a list that could not be parsed or were skipped, oldest first',
    description:
      'Answers with all gaps of one list of a provider, oldest first. They are read again every hour, and are gone once they ' +
      'could be.',
    query: feedGapsQuerySchema,
    name: 'feed-gaps',
    schema: feedGapResourceSchema,
    page: async ({ params: { id = '' } }, { bus }, page) => {
      const { service, environment, provider, feed } = await findFeed(bus, id);
      const { gaps, nextCursor } = await callRpc(bus, gapLists[service], { environment, provider, feed, ...page });
      return { data: gaps.map(presentFeedGap), nextCursor };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/feeds/:id/skip',
    operation: 'skipFeed',
    permission: 'money:propose',
    summary: 'Propose to read a list on behind a part that cannot be read, for another operator to approve',
    description:
      'Proposes that a list which fails is read on behind the part that its provider does not answer. Another operator has ' +
      'to approve it; until then it is tried as before. The part stays a gap of the list, which is read again every hour.',
    body: skipFeedRequestSchema,
    example: { until: '2026-01-02T11:00:00.000Z', reason: 'The provider has no data of that hour, says its support.' },
    answers: { 202: approvalAnswerSchema },
    refusals: ['INVALID_STATE'],
    handle: async (call, { bus, database }) => {
      const approval = await proposeSkip({ database, bus }, actOf(call), call.params['id'] ?? '', call.body);
      return { status: 202, body: { approval: presentApproval(approval) } };
    },
  }),
  operatorList({
    path: '/ops/unread-items',
    operation: 'listUnreadItems',
    permission: 'operations:read',
    summary: 'List items of providers that could not be read, confirmed or applied, oldest first',
    description:
      'Answers with items of the lists of providers that belong to nothing the gateway knows or contradict it, ' +
      'oldest first. They are tried again by themselves.',
    query: unreadItemsQuerySchema,
    name: 'unread-items',
    schema: unreadItemResourceSchema,
    reads: 'unread-item.list',
    page: async ({ query }, { bus }, page) => {
      const { items, nextCursor } = await listUnreadItems(bus, { ...query, ...page });
      return { data: items.map(presentUnreadItem), nextCursor };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/unread-items/:id/retry',
    operation: 'retryUnreadItem',
    permission: 'operations:write',
    summary: 'Try an unread item at once',
    description:
      'Has an item tried at once, after the cause was mended. It would be tried again by itself, up to an hour later; ' +
      'trying it again changes nothing that was applied.',
    answers: { 200: unreadItemResourceSchema },
    refusals: ['INVALID_STATE'],
    handle: async (call, { bus, database }) => {
      const change = { action: 'unread-item.retry', target: itemIdOf(call) } as const;
      const { after } = await auditAcross(database, actOf(call), change, async () => {
        const { service } = await findUnreadItem(bus, change.target);
        const { before, item } = await callRpc(bus, retries[service], { id: change.target });
        return { before: presentUnreadItem(before), after: presentUnreadItem(item) };
      });
      return { status: 200, body: after };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/unread-items/:id/dismiss',
    operation: 'dismissUnreadItem',
    permission: 'money:propose',
    summary: 'Propose that an unread item is of no consequence, for another operator to approve',
    description:
      'Proposes to close an item that is of no consequence. Another operator has to approve it; until then it is ' +
      'tried as before.',
    body: dismissUnreadItemRequestSchema,
    example: { reason: "The provider's test of the address, confirmed by its support." },
    answers: { 202: approvalAnswerSchema },
    handle: async (call, { bus, database }) => {
      const approval = await proposeDismissal({ database, bus }, actOf(call), itemIdOf(call), call.body.reason);
      return { status: 202, body: { approval: presentApproval(approval) } };
    },
  }),
];

const gapLists = {
  deposits: listDepositFeedGaps,
  payouts: listPayoutFeedGaps,
  reconciler: listReconcilerFeedGaps,
} as const satisfies Record<FeedService, unknown>;

const retries = {
  deposits: retryDepositUnreadItem,
  payouts: retryPayoutUnreadItem,
  reconciler: retryReconcilerUnreadItem,
} as const satisfies Record<FeedService, unknown>;

/** @throws NotFoundError for what is no id of an item */
function itemIdOf({ params: { id = '' } }: OperatorCall): string {
  if (!unreadItemIdSchema.safeParse(id).success) throw new NotFoundError('unread item');
  return id;
}

/** A page of what the services could not take: the order of their ids is that of their age. */
async function listUnreadItems(bus: Askable, { limit, cursor, state }: z.infer<typeof unreadItemsQuerySchema>) {
  const request = { limit, after: cursor, state };
  const replies = await Promise.all([
    callRpc(bus, listDepositUnreadItems, request),
    callRpc(bus, listPayoutUnreadItems, request),
    orNone(callRpc(bus, listReconcilerUnreadItems, request), { items: [], hasMore: false }),
  ]);
  const found = replies.flatMap((reply) => reply.items).sort((one, other) => (one.id < other.id ? -1 : 1));
  const items = found.slice(0, limit);
  const hasMore = found.length > limit || replies.some((reply) => reply.hasMore);
  return { items, nextCursor: hasMore ? (items.at(-1)?.id ?? null) : null };
}

/** What moves money is shown also while the reconciler, which moves none, does not answer. */
async function orNone<T>(answer: Promise<T>, none: T): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NoAnswerError) return none;
    throw error;
  }
}
