import type { RecordEvent, RecordEventPlace, WebhookEvent } from '@gateway/contracts/webhooks';
import type { Environment } from '@gateway/contracts/values';
import type { Database } from '#src/database.ts';

/** What a row says has happened: both as SQL over its columns. */
export interface StatedEvent {
  readonly event: WebhookEvent;
  readonly when: string;
  /** At the earliest: an endpoint that was registered later need not have the event. */
  readonly at: string;
}

export interface EventTable {
  readonly table: string;
  readonly currency?: string;
  readonly events: readonly StatedEvent[];
}

interface Page {
  readonly environment: Environment;
  readonly after: RecordEventPlace | null;
  readonly limit: number;
}

interface Row extends Omit<RecordEvent, 'event'> {
  readonly event: WebhookEvent | null;
}

/**
 * The public events of a page of records, in the order of account and id. They are read from what the records have become,
 * and not from what was published: an event that was lost on its way is among them.
 */
export async function readRecordEvents(
  database: Database,
  { table, currency = 'currency', events }: EventTable,
  { environment, after, limit }: Page,
): Promise<{ readonly events: RecordEvent[]; readonly next: RecordEventPlace | null }> {
  const stated = events.map(({ event, when, at }) => `('${event}', ${when}, ${at})`).join(', ');
  const rows = await database.query<Row>(
    `select account_id as "accountId", id as "recordId", ${currency} as currency, stated.event,
       floor(extract(epoch from stated.at) * 1000)::bigint as "atMs"
     from (
       select * from ${table} where environment = $1 and (account_id, id) > ($2, $3) order by account_id, id limit $4
     ) row
     left join lateral (values ${stated}) as stated (event, has_happened, at) on stated.has_happened
     order by account_id, id`,
    [environment, after?.accountId ?? '', after?.id ?? '', limit],
    `record-events-${table}`,
  );
  const last = rows.at(-1);
  const isFull = new Set(rows.map(({ accountId, recordId }) => `${accountId} ${recordId}`)).size === limit;
  return {
    events: rows.flatMap(({ event, ...row }) => (event === null ? [] : [{ ...row, event }])),
    next: last && isFull ? { accountId: last.accountId, id: last.recordId } : null,
  };
}
