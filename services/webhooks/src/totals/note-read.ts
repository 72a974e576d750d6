import type { ConsumerPosition } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';

interface Head {
  readonly environment: string;
  readonly account_id: string;
  readonly seq: string;
}

/** What has to be in the totals before they are complete until a moment. */
interface Wanted {
  /** By the clock of the database. */
  readonly until: string;
  /** How far each stream went then. */
  readonly published: readonly number[];
  /** Where the logs were once they had all of that; undefined before. */
  heads: readonly Head[] | undefined;
}

/**
 * Notes until when the totals have every event. Events go on coming while one waits for those of a moment, so it is a
 * sequence: how far the streams go at the moment; that the log has come that far in each; where the accounts' logs are then;
 * that all of it is added up. Each call goes on from where the last one had to stop.
 */
export class ReadTotals {
  readonly #database: Database;
  readonly #positions: () => Promise<readonly ConsumerPosition[] | undefined>;
  #wanted: Wanted | undefined;

  /** @param positions of the streams that the log is written from; undefined while the broker does not say */
  constructor(database: Database, positions: () => Promise<readonly ConsumerPosition[] | undefined>) {
    this.#database = database;
    this.#positions = positions;
  }

  async note(): Promise<void> {
    const [clock] = await this.#database.query<{ now: string }>('select now()::text as now');
    const positions = await this.#positions();
    if (!clock || !positions) return;
    const published = positions.map((position) => position.published);
    // A stream that was lost begins with one again, and never comes as far as it was.
    if (this.#wanted?.published.some((until, stream) => until > (published[stream] ?? 0))) this.#wanted = undefined;
    const wanted = (this.#wanted ??= { until: clock.now, published, heads: undefined });
    const isLogged = positions.every(({ handled }, stream) => handled >= (wanted.published[stream] ?? 0));
    if (!isLogged) return;
    wanted.heads ??= await this.#database.query<Head>(behindSql);
    if (!(await this.#areAddedUp(wanted.heads))) return;
    await this.#database.query(noteSql, [wanted.until]);
    this.#wanted = undefined;
  }

  async #areAddedUp(heads: readonly Head[]): Promise<boolean> {
    if (heads.length === 0) return true;
    const columns = [
      heads.map(({ environment }) => environment),
      heads.map(({ account_id: accountId }) => accountId),
      heads.map(({ seq }) => seq),
    ];
    return (await this.#database.query(waitingSql, columns)).length === 0;
  }
}

const behindSql = `
  select environment, account_id, head.seq::text as seq
    from event_log_head head left join hour_total_position position using (environment, account_id)
   where head.seq > coalesce(position.seq, 0)`;

const waitingSql = `
  select 1 from unnest($1::text[], $2::text[], $3::bigint[]) as head (environment, account_id, seq)
    left join hour_total_position position using (environment, account_id)
   where head.seq > coalesce(position.seq, 0) limit 1`;

/** Several processes note it, each from what it has seen. */
const noteSql = `update hour_total_read set complete_until = greatest(complete_until, $1::timestamptz)`;
