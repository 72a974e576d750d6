import type { SqlMigration } from '@gateway/persistence';

/**
 * The key that keeps an event from being sent to an endpoint twice begins with the record and not with the endpoint.
 *
 * - New deliveries of one event have neighbouring entries, whatever number of endpoints it goes to: one page of the index
 *   is read and written for all of them, not one for each.
 * - No other index but the primary key begins with the endpoint alone. A statement that looks deliveries up by endpoint
 *   and id was planned, on a small table, with the endpoint's entries of this index, and read all of them for each row.
 * - The deliveries of one record are found at all endpoints, without an index of their own.
 *
 * The name of the event is left out: an event has one.
 */
export const deliveriesByRecord: SqlMigration = {
  name: '0006-deliveries-by-record',
  indexes: [{ name: 'delivery_by_record', unique: true, on: 'delivery (data_id, endpoint_id, event_id)' }],
  sql: `
    alter table delivery drop constraint delivery_once;
    alter table delivery add constraint delivery_once unique using index delivery_by_record;
  `,
};
