import type { SqlMigration } from '@gateway/persistence';

/** The rail a payout moves on. Those from before there was a second one moved by PIX. */
export const paymentMethod: SqlMigration = {
  name: '0003-payment-method',
  sql: `alter table payout add column payment_method text not null default 'PIX';`,
};
