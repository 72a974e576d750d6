import type { IdBounds } from '@gateway/contracts/ledger';
import type { RecordEvent, RecordEventPlace, WebhookEvent } from '@gateway/contracts/webhooks';
import type { Environment } from '@gateway/contracts/values';
import type { Database } from '#src/database.ts';
import { pageByAccount, pageParameters } from '#src/page-by-account.ts';

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
  readonly ids?: IdBounds | undefined;
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
  asked: Page,
): Promise<{ readonly events: RecordEvent[]; readonly next: RecordEventPlace | null }> {
  const stated = events.map(({ event, when, at }) => `('${event}', ${when}, ${at})`).join(', ');
  const rows = await database.query<Row>(
    `select account_id as "accountId", id as "recordId", ${currency} as currency, stated.event,
       floor(extract(epoch from stated.at) * 1000)::bigint as "atMs"
     from (${pageByAccount(table)}) row
     left join lateral (values ${stated}) as stated (event, has_happened, at) on stated.has_happened
     order by account_id, id`,
    pageParameters(asked),
    `record-events-${table}`,
  );
  const last = rows.at(-1);
  const isFull = new Set(rows.map(({ accountId, recordId }) => `${accountId} ${recordId}`)).size === asked.limit;
  return {
    events: rows.flatMap(({ event, ...row }) => (event === null ? [] : [{ ...row, event }])),
    next: last && isFull ? { accountId: last.accountId, id: last.recordId } : null,
  };
}
