import type { SqlMigration } from '@gateway/persistence';

/** Operators find a payer's deposits by the document its merchant gave. Few deposits have one, and the others have no entry. */
export const foundByPayer: SqlMigration = {
  name: '0022-found-by-payer',
  indexes: [
    {
      name: 'deposit_by_payer_document',
      on: `deposit ((payer ->> 'document'), reference) where payer ->> 'document' is not null`,
    },
  ],
};
