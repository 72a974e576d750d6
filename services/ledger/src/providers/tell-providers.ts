import type { Database } from '@gateway/service-kit';

/**
 * From now on money may be booked at these live providers. Whoever is taken out of the configuration stays known: money may
 * still come back through it.
 */
export async function tellProviders(database: Database, liveProviders: readonly string[]): Promise<void> {
  await database.query(
    `insert into provider (environment, id) select 'live', id from unnest($1::text[]) as told(id) on conflict do nothing`,
    [liveProviders],
  );
}
