import type { Database } from '@gateway/service-kit';

/** A live provider as the configuration has it. */
export interface ToldProvider {
  readonly id: string;
  /** False for one that tells no balance, so that nobody can compare it with the books. */
  readonly isCompared: boolean;
}

/**
 * From now on money may be booked at these live providers. Whoever is taken out of the configuration stays known: money may
 * still come back through it.
 */
export async function tellProviders(database: Database, liveProviders: readonly ToldProvider[]): Promise<void> {
  await database.query(
    `insert into provider (environment, id, compared)
     select 'live', id, compared from unnest($1::text[], $2::boolean[]) as told(id, compared)
     on conflict (environment, id) do update set compared = excluded.compared
     where provider.compared <> excluded.compared`,
    [liveProviders.map(({ id }) => id), liveProviders.map(({ isCompared }) => isCompared)],
  );
}
