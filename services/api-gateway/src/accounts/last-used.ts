import type { Database } from '@gateway/persistence';
import { startLoop, type Logger } from '@gateway/runtime';

const writeIntervalMs = 10_000;

/** Notes when keys were last used, written together now and then: a request never waits for it. */
export class LastUsed implements AsyncDisposable {
  readonly #database: Database;
  readonly #usedAtMs = new Map<string, number>();
  readonly #loop: AsyncDisposable;

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#loop = startLoop({
      name: 'write last use of keys',
      intervalMs: writeIntervalMs,
      logger,
      work: () => this.write(),
    });
  }

  note(publicKey: string, atMs: number): void {
    this.#usedAtMs.set(publicKey, atMs);
  }

  async write(): Promise<void> {
    if (this.#usedAtMs.size === 0) return;
    const used = [...this.#usedAtMs];
    this.#usedAtMs.clear();
    await this.#database.query(
      `update api_key k set last_used_at = greatest(k.last_used_at, to_timestamp(u.at_ms / 1000.0))
         from unnest($1::text[], $2::bigint[]) as u (public_key, at_ms) where k.public_key = u.public_key`,
      [used.map(([publicKey]) => publicKey), used.map(([, atMs]) => atMs)],
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#loop[Symbol.asyncDispose]();
    await this.write().catch(() => undefined);
  }
}
