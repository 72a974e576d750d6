import type { Caller } from '@gateway/contracts/accounts';
import type { ApiVersion, Environment } from '@gateway/contracts/values';
import type { Database } from '@gateway/persistence';
import { startLoop, type Logger } from '@gateway/runtime';

const writeIntervalMs = 5_000;
const dropIntervalMs = 3_600_000;
const hourMs = 3_600_000;
const keptHours = 8 * 24;

/** A request of a key that was answered. */
interface AnsweredRequest {
  readonly caller: Pick<Caller, 'environment' | 'publicKey'> & { readonly account: { readonly id: string } };
  readonly apiVersion: ApiVersion | null;
  readonly status: number;
  readonly atMs: number;
}

interface Counted {
  calls: number;
  limited: number;
}

/** Names what is counted: environment, account, key, contract and the hour since 1970. */
function nameOf({ caller, apiVersion, atMs }: AnsweredRequest): string {
  const { environment, publicKey, account } = caller;
  return [environment, account.id, publicKey, apiVersion ?? '', Math.floor(atMs / hourMs)].join(' ');
}

/**
 * Counts what each key calls, by contract and hour. A request waits for nothing of it: counts are kept in memory and added to
 * those of all gateways every few seconds. What is in memory when a process dies is lost: it is a figure for people.
 */
export class KeyUsage implements AsyncDisposable {
  readonly #database: Database;
  readonly #loops = new AsyncDisposableStack();
  #counts = new Map<string, Counted>();

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    const loop = (name: string, intervalMs: number, work: () => Promise<void>) =>
      this.#loops.use(startLoop({ name, intervalMs, logger, work }));
    loop('count calls of keys', writeIntervalMs, () => this.write());
    loop('drop old counts of keys', dropIntervalMs, () => this.drop(new Date()));
  }

  note(request: AnsweredRequest): void {
    const name = nameOf(request);
    const counted = this.#counts.get(name) ?? { calls: 0, limited: 0 };
    counted.calls += 1;
    if (request.status === 429) counted.limited += 1;
    this.#counts.set(name, counted);
  }

  /** Adds what was counted. What could not be written is counted on, and written the next time. */
  async write(): Promise<void> {
    if (this.#counts.size === 0) return;
    const counts = this.#counts;
    this.#counts = new Map();
    try {
      await this.#database.query(addSql, [JSON.stringify([...counts].map(rowOf))]);
    } catch (error) {
      for (const [name, { calls, limited }] of counts) {
        const now = this.#counts.get(name) ?? { calls: 0, limited: 0 };
        this.#counts.set(name, { calls: now.calls + calls, limited: now.limited + limited });
      }
      throw error;
    }
  }

  async drop(now: Date): Promise<void> {
    const before = new Date(now.getTime() - keptHours * hourMs);
    await this.#database.query('delete from key_usage where hour < $1', [before]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#loops.disposeAsync();
    await this.write().catch(() => undefined);
  }
}

function rowOf([name, { calls, limited }]: readonly [string, Counted]): object {
  const [environment, account_id, public_key, api_version, hour] = name.split(' ');
  return { environment, account_id, public_key, api_version, hour: Number(hour) * (hourMs / 1_000), calls, limited };
}

/** In the order of the key, so that gateways that write at once wait for each other in one order. */
const addSql = `
  insert into key_usage as kept (environment, account_id, public_key, api_version, hour, calls, limited)
  select environment, account_id, public_key, api_version, to_timestamp(hour), calls, limited
    from jsonb_to_recordset($1::jsonb) as r (environment text, account_id text, public_key text, api_version text,
      hour float8, calls bigint, limited bigint)
    order by 1, 2, 3, 4, 5
  on conflict (environment, account_id, public_key, api_version, hour)
  do update set calls = kept.calls + excluded.calls, limited = kept.limited + excluded.limited`;

interface UsageOfKey {
  readonly publicKey: string;
  /** Empty where a key of no contract called with a header that names none. */
  readonly apiVersion: string;
  readonly calls: number;
  readonly limited: number;
}

/** What the keys of an account called since the hour that a moment is in, the busiest first. */
export async function usageOfKeys(
  database: Database,
  { environment, accountId }: { readonly environment: Environment; readonly accountId: string },
  since: Date,
): Promise<UsageOfKey[]> {
  return await database.query<UsageOfKey>(
    `select public_key as "publicKey", api_version as "apiVersion", sum(calls)::bigint as calls,
            sum(limited)::bigint as limited
       from key_usage where environment = $1 and account_id = $2 and hour >= date_trunc('hour', $3::timestamptz)
      group by public_key, api_version order by calls desc, public_key, api_version limit 200`,
    [environment, accountId, since],
  );
}
