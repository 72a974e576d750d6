import type { BacklogQuery } from '@gateway/messaging';

/** Deliveries that wait for their first call or the next one: each part of the condition has an index of its own. */
export const deliveriesWaiting: readonly BacklogQuery[] = [
  {
    kind: 'delivery',
    sql: `select environment, sum(count)::int as count from (
            select endpoint_id, count(*) from delivery where state = 0 and attempts = 0 group by endpoint_id
            union all
            select endpoint_id, count(*) from delivery where state = 0 and attempts > 0 group by endpoint_id
          ) waiting join endpoint on endpoint.id = waiting.endpoint_id group by environment`,
  },
];
