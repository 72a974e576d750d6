import type { Database } from '@gateway/persistence';

/** A live provider as the configuration has it. */
export interface RegisteredProvider {
  readonly id: string;
  /** False for one whose balance cannot be read, so that it is not compared with the ledger. */
  readonly isCompared: boolean;
}

/**
 * Registers the live providers at which money may be booked. A provider that is taken out of the configuration stays
 * registered, since money may still come back through it.
 */
export async function registerProviders(
  database: Database,
  liveProviders: readonly RegisteredProvider[],
): Promise<void> {
  await database.query(
    `insert into provider (environment, id, compared)
     select 'live', id, compared from unnest($1::text[], $2::boolean[]) as given(id, compared)
     on conflict (environment, id) do update set compared = excluded.compared
     where provider.compared <> excluded.compared`,
    [liveProviders.map(({ id }) => id), liveProviders.map(({ isCompared }) => isCompared)],
  );
}
