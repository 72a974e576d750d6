import { backlogRpc, type BacklogCount, type BacklogKind, type ServiceName } from '@gateway/contracts/messages';
import type { Database } from '@gateway/persistence';
import { answering, type RpcRoute } from '#src/rpc/serve-rpc.ts';

/** What of a service's records is being worked off without a person. */
export interface BacklogQuery {
  readonly kind: Exclude<BacklogKind, 'event'>;
  /**
   * A statement without parameters that answers `environment` and `count`, a row for each environment that has any. It has to be
   * served by an index of what is under way, however many records there have been.
   */
  readonly sql: string;
}

/** Of both environments; as the outbox's own metric has it. */
const eventsSql = `select count(*)::int as count from outbox where watched_until is null or watched_until < now()`;

/** The row of every service's rpc table that counts what it has to work off, its events that are not on the bus yet among it. */
export function backlogRoute(database: Database, service: ServiceName, own: readonly BacklogQuery[]): RpcRoute {
  return answering(backlogRpc(service), async () => ({ backlog: await readBacklog(database, own) }));
}

/** What is to be worked off of these kinds, a count of 0 where there is nothing, and of events. */
export async function readBacklog(database: Database, queries: readonly BacklogQuery[]): Promise<BacklogCount[]> {
  const [events, ...own] = await Promise.all([
    countUnpublished(database),
    ...queries.map(async ({ kind, sql }) => {
      const rows = await database.query<{ environment: 'live' | 'test'; count: number }>(sql);
      return (['live', 'test'] as const).map((environment) => {
        return { kind, environment, count: rows.find((row) => row.environment === environment)?.count ?? 0 };
      });
    }),
  ]);
  return [...own.flat(), { kind: 'event', environment: null, count: events }];
}

/** Events and commands of a service that are not on the bus yet, or that a reader has not read within its time. */
export async function countUnpublished(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>(eventsSql);
  return row?.count ?? 0;
}
