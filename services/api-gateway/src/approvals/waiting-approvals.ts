import type { AttentionQuery } from '@gateway/messaging';

/** What one operator has proposed, for another to decide. */
export const waitingApprovals: readonly AttentionQuery[] = [
  {
    kind: 'approval',
    sql: `select environment, count(*)::int as count, min(created_at) as oldest
          from approval where state = 'PROPOSED' group by environment`,
  },
];
