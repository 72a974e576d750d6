import type { SqlMigration } from '@gateway/persistence';

/**
 * Why nothing is ordered in a market although USDT is owed: what the exchange says of it is outside of what operators have
 * allowed. Besides, an order that an exchange has refused is looked up before it counts as not made.
 */
export const treasuryHolds: SqlMigration = {
  name: '0014-treasury-holds',
  sql: `
    create table treasury_hold (
      venue text collate "C" not null,
      currency text not null,
      reason text not null check (reason in ('too_large', 'too_dear', 'implausible')),
      -- What the exchange asks for, in words.
      detail text not null,
      since timestamptz(3) not null,
      checked_at timestamptz(3) not null,
      primary key (venue, currency)
    );
    alter table treasury_order drop constraint treasury_order_state_check;
    alter table treasury_order add constraint treasury_order_state_check
      check (state in ('RECORDED', 'SENDING', 'SENT', 'UNKNOWN', 'REFUSED', 'BOOKING', 'LATE', 'DONE'));
  `,
};
