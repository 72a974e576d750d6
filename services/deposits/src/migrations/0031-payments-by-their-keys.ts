import type { SqlMigration } from '@gateway/persistence';

/**
 * What 0021 did for deposits, for all that hangs on them: no index but the primary key begins with the environment. While a
 * table has no statistics such an index is as cheap as the primary key, and what was planned then reads all payments
 * to find one, and more of them with each that arrives.
 */
export const paymentsByTheirKeys: SqlMigration = {
  name: '0031-payments-by-their-keys',
  indexes: [
    { name: 'payment_once_per_deposit_0031', unique: true, on: 'payment (deposit_id, environment, account_id)' },
    { name: 'transfer_of_deposit_0031', on: 'transfer (deposit_id, environment, account_id)' },
    { name: 'refund_external_id_0031', unique: true, on: 'refund (external_id, environment, account_id)' },
    { name: 'refund_of_deposit_0031', on: 'refund (deposit_id, environment, id)' },
    { name: 'dispute_round_0031', unique: true, on: 'dispute (dispute_ref, environment, provider, round)' },
    { name: 'dispute_of_deposit_0031', on: 'dispute (deposit_id, environment, id)' },
  ],
  sql: `
    alter table payment
      drop constraint payment_once_per_deposit,
      add constraint payment_once_per_deposit unique using index payment_once_per_deposit_0031;
    drop index transfer_of_deposit;
    alter index transfer_of_deposit_0031 rename to transfer_of_deposit;
    alter table refund
      drop constraint refund_external_id_once,
      add constraint refund_external_id_once unique using index refund_external_id_0031;
    drop index refund_of_deposit;
    alter index refund_of_deposit_0031 rename to refund_of_deposit;
    alter table dispute
      drop constraint dispute_round_once,
      add constraint dispute_round_once unique using index dispute_round_0031;
    drop index dispute_of_deposit;
    alter index dispute_of_deposit_0031 rename to dispute_of_deposit;
  `,
};
