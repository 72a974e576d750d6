import type { SqlMigration } from '@gateway/persistence';

/** A payment whose tracking key people name is found by it; PIX has none, and its rows have no entry. */
export const foundByTrackingKey: SqlMigration = {
  name: '0027-found-by-tracking-key',
  indexes: [
    {
      name: 'transfer_by_tracking_key',
      on: 'transfer (tracking_key, environment, provider) where tracking_key is not null',
    },
    {
      name: 'orphan_receipt_by_tracking_key',
      on: 'orphan_receipt (tracking_key, environment, provider) where tracking_key is not null',
    },
    { name: 'refund_by_tracking_key', on: 'refund (tracking_key) where tracking_key is not null' },
  ],
};
