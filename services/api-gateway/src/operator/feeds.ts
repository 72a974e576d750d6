import type { z } from 'zod';
import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import {
  dismissDepositUnreadItem,
  dismissPayoutUnreadItem,
  listDepositFeeds,
  listDepositUnreadItems,
  listPayoutFeeds,
  listPayoutUnreadItems,
} from '@gateway/contracts/providers';
import { type Askable, callRpc } from '@gateway/messaging';
import {
  feedsResourceSchema,
  pageOf,
  presentFeed,
  presentUnreadItem,
  unreadItemResourceSchema,
  unreadItemsQuerySchema,
} from '@gateway/public-api';
import { auditAcross } from '#src/approvals/audit.ts';
import { actOf, operatorEndpoint } from '#src/operator/operator-endpoint.ts';

export const feedEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/feeds',
    summary: "List how far each provider's lists have been read, with what could not be",
    answers: { 200: feedsResourceSchema },
    handle: async (_call, { bus }) => {
      const replies = await Promise.all([callRpc(bus, listDepositFeeds, {}), callRpc(bus, listPayoutFeeds, {})]);
      return { status: 200, body: { data: replies.flatMap(({ feeds }) => feeds.map(presentFeed)) } };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/unread-items',
    summary: 'List items of providers that could not be read, confirmed or applied, oldest first',
    query: unreadItemsQuerySchema,
    answers: { 200: pageOf(unreadItemResourceSchema) },
    handle: async ({ query }, { bus }) => {
      const { items, nextCursor } = await listUnreadItems(bus, query);
      return { status: 200, body: { data: items.map(presentUnreadItem), next_cursor: nextCursor } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/unread-items/:id/dismiss',
    summary: 'Dismiss an item that will never be applied: it is not retried, and has no effect',
    answers: { 200: unreadItemResourceSchema },
    handle: async (call, { bus, database }) => {
      const { id = '' } = call.params;
      if (!/^[0-9a-f]{32}$/.test(id)) throw new NotFoundError('unread item');
      const change = { action: 'unread-item.dismiss', target: id } as const;
      const { after } = await auditAcross(database, actOf(call), change, async () => {
        const { before, item } = await dismiss(bus, id);
        return { before: presentUnreadItem(before), after: presentUnreadItem(item) };
      });
      return { status: 200, body: after };
    },
  }),
];

/** A page of what both services could not take: the order of their ids is that of their age. */
async function listUnreadItems(bus: Askable, { limit, cursor, state }: z.infer<typeof unreadItemsQuerySchema>) {
  const request = { limit, after: cursor, state };
  const replies = await Promise.all([
    callRpc(bus, listDepositUnreadItems, request),
    callRpc(bus, listPayoutUnreadItems, request),
  ]);
  const found = replies.flatMap((reply) => reply.items).sort((one, other) => (one.id < other.id ? -1 : 1));
  const items = found.slice(0, limit);
  const hasMore = found.length > limit || replies.some((reply) => reply.hasMore);
  return { items, nextCursor: hasMore ? (items.at(-1)?.id ?? null) : null };
}

/** One of the services has it. */
async function dismiss(bus: Askable, id: string) {
  try {
    return await callRpc(bus, dismissDepositUnreadItem, { id });
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'NOT_FOUND')) throw error;
    return await callRpc(bus, dismissPayoutUnreadItem, { id });
  }
}
