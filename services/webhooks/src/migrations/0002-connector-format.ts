import type { SqlMigration } from '@gateway/persistence';

/** Endpoints that are told in the connector's format carry what each of its bodies repeats. */
export const connectorFormat: SqlMigration = {
  name: '0002-connector-format',
  sql: `
    alter table endpoint drop constraint endpoint_format_check;
    alter table endpoint add constraint endpoint_format_check check (format in ('native', 'connector'));
    -- { clientId, sealedParaphrase }
    alter table endpoint add column connector jsonb;
    alter table endpoint add constraint endpoint_connector check ((format = 'connector') = (connector is not null));
  `,
};
