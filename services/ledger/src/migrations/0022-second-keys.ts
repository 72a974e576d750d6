import type { SqlMigration } from '@gateway/persistence';

/**
 * Beside each key of checkpoints one of ML-DSA-44, which a quantum computer does not forge. A key of an earlier version gets its
 * own before it signs again; one that was replaced before has none.
 */
export const secondKeys: SqlMigration = {
  name: '0022-second-keys',
  sql: `
    create table checkpoint_second_key (
      number int primary key references checkpoint_key (number),
      -- As of the key that it is beside: {"live.0": "<name>+<id>+<key>"}.
      public_keys json not null,
      -- Gone once that key is replaced.
      sealed text,
      -- That key has signed it, once per log: {"live.0": note}.
      endorsements json not null,
      created_at timestamptz(3) not null
    );
    create trigger checkpoint_second_key_is_kept before delete or truncate on checkpoint_second_key
      for each statement execute function refuse_change();
  `,
};
