import type { SqlMigration } from '@gateway/persistence';

/**
 * `lane` was a name of our own. While processes of the previous version still run beside new ones they find the table
 * under it as a view that can be written through.
 *
 * Only a leased delivery has a lease. The check is made of new rows alone, so that the table is not read to add it.
 */
export const endpointQueue: SqlMigration = {
  name: '0005-endpoint-queue',
  sql: `
    alter table lane rename to endpoint_queue;
    alter index lane_pkey rename to endpoint_queue_pkey;
    alter index lane_ready rename to endpoint_queue_ready;
    alter index lane_halted rename to endpoint_queue_halted;
    alter index lane_abandoned rename to endpoint_queue_abandoned;
    create view lane as select * from endpoint_queue;
    alter table delivery add constraint delivery_lease_holder
      check ((state = 1) = (lease_owner is not null)) not valid;
  `,
};
