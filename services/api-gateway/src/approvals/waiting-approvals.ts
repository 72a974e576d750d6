import type { AttentionQuery } from '@gateway/messaging';

import { teamKinds } from '#src/approvals/approval.ts';

/** What one operator has proposed, for another to decide; what waits for the people of an account is theirs. */
export const waitingApprovals: readonly AttentionQuery[] = [
  {
    kind: 'approval',
    sql: `select environment, count(*)::int as count, min(created_at) as oldest
          from approval where state = 'PROPOSED' and kind not in (${teamKinds.map((kind) => `'${kind}'`).join(', ')})
          group by environment`,
  },
];
