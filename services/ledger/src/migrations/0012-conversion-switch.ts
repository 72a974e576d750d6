import type { SqlMigration } from '@gateway/persistence';

/** Whether operators have switched live conversions on. Its one row is off until two of them have. */
export const conversionSwitch: SqlMigration = {
  name: '0012-conversion-switch',
  sql: `
    create table conversion_switch (
      environment text collate "C" primary key check (environment = 'live'),
      position text not null check (position in ('on', 'off')),
      version integer not null default 0,
      set_by text check ((set_by is null) = (version = 0)),
      set_at timestamptz(3) check ((set_at is null) = (version = 0)),
      reason text check ((reason is null) = (version = 0)),
      check (position = 'off' or version > 0)
    );
    insert into conversion_switch (environment, position) values ('live', 'off');
  `,
};
