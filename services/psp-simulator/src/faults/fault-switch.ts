import type { Database } from '@gateway/persistence';

/** Whether there are any fault rules at all; most of the time there are none, and no call should pay for looking. */
export class FaultSwitch {
  armed: boolean;

  private constructor(armed: boolean) {
    this.armed = armed;
  }

  static async load(database: Database): Promise<FaultSwitch> {
    const [row] = await database.query<{ armed: boolean }>('select exists (select 1 from fault_rule) as armed');
    return new FaultSwitch(row?.armed ?? false);
  }
}
