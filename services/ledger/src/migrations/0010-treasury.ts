import type { SqlMigration } from '@gateway/persistence';

/**
 * Live conversions owe USDT, which is bought with orders at an exchange. An order is recorded before it is sent. What was
 * converted before there were orders was covered by hand.
 */
export const treasury: SqlMigration = {
  name: '0010-treasury',
  sql: `
    alter table conversion add column covered_by text collate "C";
    update conversion set covered_by = 'by hand' where environment = 'live' and state = 'COMPLETED';
    create index conversion_uncovered on conversion (from_currency, id) where environment = 'live' and covered_by is null;

    create table treasury_order (
      id text collate "C" primary key,
      venue text collate "C" not null,
      currency text not null,
      state text not null check (state in ('RECORDED', 'SENDING', 'SENT', 'UNKNOWN', 'BOOKING', 'LATE', 'DONE')),
      result text check (result in ('FILLED', 'PARTIALLY_FILLED', 'UNFILLED')),
      -- USDT that is to be bought, and what one may cost.
      amount numeric not null check (amount > 0),
      price_max numeric not null check (price_max > 0),
      venue_order_id text,
      problem text,
      -- Orders before it, in a row, that bought nothing.
      failures integer not null default 0,
      spent numeric not null default 0,
      bought numeric not null default 0,
      fee numeric not null default 0,
      bookings integer not null default 0,
      -- Minor units: what is spent is rounded up, what is held rounded down.
      booked_spent bigint not null default 0,
      booked_bought bigint not null default 0,
      booked_fee bigint not null default 0,
      created_at timestamptz(3) not null,
      sent_at timestamptz(3),
      -- Since when lookups have found the same.
      same_since timestamptz(3),
      next_at timestamptz(3),
      ended_at timestamptz(3)
    );
    create unique index treasury_order_open on treasury_order (venue, currency) where state not in ('LATE', 'DONE');
    create index treasury_order_market on treasury_order (venue, currency, id);
    create index treasury_order_due on treasury_order (next_at) where state in ('LATE', 'DONE') and next_at is not null;

    -- Bought beyond what whole conversions needed; minor units of USDT.
    create table treasury_surplus (
      currency text primary key,
      amount bigint not null check (amount >= 0)
    );
  `,
};
