import type { AttentionQuery, BacklogQuery } from '@gateway/messaging';

/** What operators decide: payouts that cannot go on by themselves, and those that wait to be approved. */
export const waitingPayouts: readonly AttentionQuery[] = [
  {
    kind: 'payout_stuck',
    sql: `select environment, count(*)::int as count, min(attention_at) as oldest
          from payout where attention_at is not null group by environment`,
  },
  {
    kind: 'payout_approval',
    // Each environment of its own, since the index of what is not on its ordinary way begins with it.
    sql: ['live', 'test']
      .map(
        (environment) => `
          select environment, count(*)::int as count, min(created_at) as oldest from payout
          where environment = '${environment}' and exceptional_state = 'PENDING' group by environment`,
      )
      .join(' union all '),
  },
];

/** What is paid out, looked up or settled without a person; each environment of its own, as the index of what is due begins with it. */
export const payoutsUnderWay: readonly BacklogQuery[] = [
  {
    kind: 'payout',
    sql: ['live', 'test']
      .map(
        (environment) => `
          select environment, count(*)::int as count from payout
          where environment = '${environment}' and due_at is not null group by environment`,
      )
      .join(' union all '),
  },
];
