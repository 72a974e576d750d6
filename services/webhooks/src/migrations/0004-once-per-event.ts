import type { SqlMigration } from '@gateway/persistence';

/**
 * A delivery is unique per event, not per record and name: each part of a payout that comes back is an event of its own.
 * Record and name come first, since the log is searched by them, and an event has one of each.
 *
 * A lane knows its account, so that no account takes more than its share of the calls.
 */
export const oncePerEvent: SqlMigration = {
  name: '0004-once-per-event',
  indexes: [{ name: 'delivery_by_event', unique: true, on: 'delivery (endpoint_id, data_id, event, event_id)' }],
  sql: `
    alter table delivery drop constraint delivery_once;
    alter table delivery add constraint delivery_once unique using index delivery_by_event;
    -- Environment and account of the endpoint; empty for lanes of endpoints that are gone.
    alter table lane add column owner text not null default '';
    update lane set owner = endpoint.environment || ' ' || endpoint.account_id
      from endpoint where endpoint.id = lane.endpoint_id;
  `,
};
