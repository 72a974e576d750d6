import { attentionRpc, type AttentionKind, type ServiceName, type Waiting } from '@gateway/contracts/messages';
import type { Database } from '@gateway/persistence';
import { answering, type RpcRoute } from '#src/rpc/serve-rpc.ts';

/** What of a service's records waits for an operator. */
export interface AttentionQuery {
  readonly kind: AttentionKind;
  /**
   * A statement without parameters that answers `environment`, `count` and `oldest`, a row for each environment. It has to
   * be served by an index of what waits, since operators look at it all day, however many records there have been.
   */
  readonly sql: string;
}

interface Row {
  readonly environment: Waiting['environment'];
  readonly count: number;
  readonly oldest: Date;
}

const deadLetters: AttentionQuery = {
  kind: 'dead_letter',
  sql: `select null as environment, count(*)::int as count, min(created_at) as oldest from dead_letter
        where retried_at is null and discarded_at is null having count(*) > 0`,
};

/** The row of every service's rpc table that counts what waits for an operator, its dead letters among it. */
export function attentionRoute(database: Database, service: ServiceName, own: readonly AttentionQuery[]): RpcRoute {
  return answering(attentionRpc(service), async () => ({
    waiting: await readWaiting(database, [...own, deadLetters]),
  }));
}

/** What waits, of those kinds; a kind that nothing waits of is left out. */
export async function readWaiting(database: Database, queries: readonly AttentionQuery[]): Promise<Waiting[]> {
  const found = await Promise.all(
    queries.map(async ({ kind, sql }) => (await database.query<Row>(sql)).map((row) => ({ kind, ...row }))),
  );
  return found.flat().map(({ kind, environment, count, oldest }) => {
    return { kind, environment, count, oldestAt: Math.floor(oldest.getTime() / 1_000) };
  });
}
