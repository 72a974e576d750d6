import type { SqlMigration } from '@gateway/persistence';

/** What the payment page shows of a merchant beside the name; test and live each have their own. */
export const branding: SqlMigration = {
  name: '0014-branding',
  sql: `
    create table branding (
      environment text not null check (environment in ('test', 'live')),
      account_id text not null references account,
      color text,
      logo bytea,
      updated_at timestamptz(3) not null,
      primary key (environment, account_id)
    );
  `,
};
