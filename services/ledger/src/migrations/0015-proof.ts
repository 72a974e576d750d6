import type { SqlMigration } from '@gateway/persistence';

/**
 * The tree over each chain, and what was signed of it. Statements and signatures are never changed: a trigger refuses
 * it, so that a mistake in a script does not do what is to be found.
 */
export const proof: SqlMigration = {
  name: '0015-proof',
  sql: `
    -- How far the tree has followed the chain: the last link it has, by which a rewritten one is noticed.
    create table tree_head (
      environment text collate "C" not null,
      shard smallint not null,
      size bigint not null,
      chain_hash bytea not null,
      decided_at timestamptz(3) not null,
      primary key (environment, shard)
    ) with (fillfactor = 20);
    insert into tree_head (environment, shard, size, chain_hash, decided_at)
      select environment, shard, 0, decode(repeat('00', 32), 'hex'), to_timestamp(0) from shard;

    -- Up to 256 hashes of the tree's level 8 * level, from 256 * index on; the last of a level grows.
    create table tree_tile (
      environment text collate "C" not null,
      shard smallint not null,
      level smallint not null,
      index bigint not null,
      width smallint not null check (width between 1 and 256 and length(hashes) = 32 * width),
      hashes bytea not null,
      primary key (environment, shard, level, index)
    );
    -- Hashes cannot be compressed.
    alter table tree_tile alter column hashes set storage external;

    -- What is stated of a tree. It is stored before it is signed: no other tree of a size can be signed then.
    create table checkpoint (
      environment text collate "C" not null,
      shard smallint not null,
      size bigint not null check (size > 0),
      root bytea not null check (length(root) = 32),
      -- The last link of the chain, which is the last record of the tree.
      chain_hash bytea not null check (length(chain_hash) = 32),
      at timestamptz(3) not null,
      primary key (environment, shard, size)
    );

    -- The signed notes of checkpoints, one per key.
    create table checkpoint_note (
      environment text collate "C" not null,
      shard smallint not null,
      size bigint not null,
      key_number int not null,
      note text not null,
      signed_at timestamptz(3) not null,
      primary key (environment, shard, size, key_number),
      foreign key (environment, shard, size) references checkpoint
    );

    -- The keys that sign, the newest last. The private key is sealed under SECRETS_KEY, and gone once it is replaced.
    create table checkpoint_key (
      number int primary key,
      -- The host under which the logs are named; the same for all keys.
      host text not null,
      -- What verifiers are given, once per log: {"live.0": "<name>+<id>+<key>"}.
      public_keys json not null,
      sealed text,
      -- The key before it has signed it, once per log: {"live.0": note}. Null for the first.
      endorsements json,
      created_at timestamptz(3) not null,
      retired_at timestamptz(3),
      check ((endorsements is null) = (number = 1)),
      check ((sealed is null) = (retired_at is not null))
    );
    create unique index checkpoint_key_in_use on checkpoint_key ((true)) where retired_at is null;

    create function refuse_change() returns trigger language plpgsql as $$
      begin raise exception '% is only added to', tg_table_name; end $$;
    create trigger checkpoint_is_kept before update or delete or truncate on checkpoint
      for each statement execute function refuse_change();
    create trigger checkpoint_note_is_kept before update or delete or truncate on checkpoint_note
      for each statement execute function refuse_change();
    create trigger checkpoint_key_is_kept before delete or truncate on checkpoint_key
      for each statement execute function refuse_change();
  `,
};
