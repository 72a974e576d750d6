import { startLoop, type Database, type Logger } from '@gateway/service-kit';
import { continueRecovery } from '#src/deliveries/recover-deliveries.ts';
import { removeIdleCallbacks } from '#src/subscriptions/remove-idle-callbacks.ts';
import { clearAbandoned } from '#src/queue/clear-abandoned.ts';
import { expireWaiting } from '#src/queue/expire-waiting.ts';

const clearIntervalMs = 5_000;
const expiryIntervalMs = 30_000;
const recoveryIntervalMs = 5_000;
const idleCallbacksIntervalMs = 30_000;

export interface Upkeep extends AsyncDisposable {
  /** Goes on with recoveries now. */
  readonly recover: () => void;
}

/** What happens beside the deliveries themselves: ends, clearings and recoveries, each a batch at a time. */
export function startUpkeep(database: Database, logger: Logger, onDue: () => void): Upkeep {
  const loops = new AsyncDisposableStack();
  loops.use(
    startLoop({
      name: 'abandoned lanes',
      intervalMs: clearIntervalMs,
      logger,
      work: () => clearAbandoned(database),
    }),
  );
  loops.use(
    startLoop({
      name: 'expired deliveries',
      intervalMs: expiryIntervalMs,
      logger,
      work: () => expireWaiting(database),
    }),
  );
  loops.use(
    startLoop({
      name: 'idle callback endpoints',
      intervalMs: idleCallbacksIntervalMs,
      logger,
      work: () => removeIdleCallbacks(database),
    }),
  );
  const recovering = loops.use(
    startLoop({
      name: 'recovery of deliveries',
      intervalMs: recoveryIntervalMs,
      logger,
      work: async () => {
        const more = await continueRecovery(database);
        if (more) onDue();
        return more;
      },
    }),
  );
  return { recover: () => recovering.wake(), [Symbol.asyncDispose]: () => loops.disposeAsync() };
}
