import {
  type FeedState,
  getDepositUnreadItem,
  listDepositFeeds,
  retryDepositUnreadItem,
  type UnreadItem,
} from '@gateway/contracts/providers';
import { answering, type RpcRoute } from '@gateway/messaging';
import type { OperationTable, WhenAsked } from './changing-services.ts';

const unread: UnreadItem = {
  ...{ id: '0f1e2d3c4b5a69788796a5b4c3d2e1f0', service: 'deposits', environment: 'live', provider: 'efi', attempts: 1 },
  ...{ feed: 'disputes', key: 'infracao:1', state: 'UNREADABLE', cause: 'an object', raw: '{}' },
  ...{ firstSeen: '2026-01-02T11:00:00.000Z', nextAttemptAt: null },
};
const failing: FeedState = {
  ...{ service: 'deposits', environment: 'live', provider: 'efi', feed: 'payments', gaps: [], gapCount: 0 },
  ...{ readUntil: '2026-01-02T10:00:00.000Z', failsFrom: '2026-01-02T10:00:00.000Z', failure: '500' },
  failingSince: '2026-01-02T10:00:30.000Z',
};

/** Deposits, with a list that fails and an item that it could not read. */
export function readingFeeds(whenAsked: WhenAsked): RpcRoute[] {
  const change = async <T>(changed: T): Promise<T> => {
    await whenAsked();
    return changed;
  };
  return [
    answering(getDepositUnreadItem, async () => ({ item: unread })),
    answering(retryDepositUnreadItem, () =>
      change({ before: unread, item: { ...unread, nextAttemptAt: '2026-01-02T12:00:00.000Z' } }),
    ),
    answering(listDepositFeeds, async () => ({ feeds: [failing] })),
  ];
}

/** What two operators decide is proposed at the gateway. */
export const feedProposals: OperationTable = {
  'POST /ops/unread-items/:id/dismiss': () => ({
    ...{ path: `/ops/unread-items/${unread.id}/dismiss`, body: { reason: 'a test of the address' } },
    ...{ action: 'approval.propose', before: null },
    after: { kind: 'unread-item.dismiss', target: unread.id, state: 'PROPOSED' },
  }),
  'POST /ops/feeds/:id/skip': () => ({
    path: '/ops/feeds/deposits.live.efi.payments/skip',
    body: { until: '2026-01-02T11:00:00Z', reason: 'the provider has no data of that hour' },
    ...{ action: 'approval.propose', before: null },
    after: { kind: 'feed.skip', target: 'deposits.live.efi.payments', state: 'PROPOSED' },
  }),
};

/** Deposits make this change. */
export const feedOperations: OperationTable = {
  'POST /ops/unread-items/:id/retry': () => ({
    ...{ path: `/ops/unread-items/${unread.id}/retry`, action: 'unread-item.retry' },
    ...{ before: { next_attempt_at: null }, after: { next_attempt_at: '2026-01-02T12:00:00.000Z' } },
  }),
};
