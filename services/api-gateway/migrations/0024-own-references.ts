import type { SqlMigration } from '@gateway/persistence';

/**
 * A transfer of our own is booked once for its reference, which is found without regard to case. What earlier versions may
 * have booked twice stays as it is, and is found by a query before a proposal is written.
 */
export const ownReferences: SqlMigration = {
  name: '0024-own-references',
  indexes: [
    {
      name: 'approval_of_own_reference',
      unique: true,
      on: `approval (lower(target)) where kind = 'own-transfer.declare' and request ->> 'reference' is not null
        and state in ('PROPOSED', 'APPLYING', 'APPLIED') and created_at >= '2026-11-23T00:00:00Z'`,
    },
    { name: 'approval_of_own_target', on: `approval (lower(target)) where kind = 'own-transfer.declare'` },
  ],
};
