import type { SqlMigration } from '@gateway/persistence';

const tables = [
  'charge',
  'received_payment',
  'transfer',
  'dispute',
  'notification_target',
  'notification',
  'fault_rule',
  'magic_fault_done',
];

/** Efí's account is kept under its own name; `bacen` is that of the account at a provider of the Pix API alone. */
export const accountsByProvider: SqlMigration = {
  name: '0005-accounts-by-provider',
  sql: tables.map((table) => `update ${table} set dialect = 'efi' where dialect = 'bacen';`).join('\n'),
};
