import type { Database } from '@gateway/persistence';

const settingName = 'clock_ahead_ms';

/** The bank's clock: real time, moved ahead where expiry and settlement are tested. Kept over restarts. */
export class SimulatedClock {
  #aheadMs: number;

  private constructor(aheadMs: number) {
    this.#aheadMs = aheadMs;
  }

  static async load(database: Database): Promise<SimulatedClock> {
    const [row] = await database.query<{ value: string }>('select value from setting where name = $1', [settingName]);
    return new SimulatedClock(row ? Number(row.value) : 0);
  }

  now(): Date {
    return new Date(Date.now() + this.#aheadMs);
  }

  async advance(database: Database, ms: number): Promise<void> {
    this.#aheadMs += ms;
    await database.query(
      'insert into setting (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
      [settingName, String(this.#aheadMs)],
    );
  }
}
