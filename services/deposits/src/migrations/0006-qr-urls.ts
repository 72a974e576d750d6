import type { SqlMigration } from '@gateway/persistence';

export const qrUrlColumn: SqlMigration = {
  name: '0006-qr-urls',
  sql: 'alter table deposit add column qr_url text;',
};
