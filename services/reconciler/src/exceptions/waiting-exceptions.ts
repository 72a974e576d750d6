import type { AttentionQuery } from '@gateway/messaging';
import { waitingItems } from '@gateway/provider-feeds';

/** What two operators have to explain; what one has proposed for it waits among the approvals. */
export const waitingExceptions: readonly AttentionQuery[] = [
  {
    kind: 'exception',
    sql: `select environment, count(*)::int as count, min(opened_at) as oldest
          from exception where state = 'OPEN' group by environment`,
  },
  waitingItems,
];
