import { startLoop, type Logger } from '@gateway/runtime';
import { continueRecovery } from '#src/deliveries/resend-deliveries.ts';
import type { GiveDeps } from '#src/event-log/give-events.ts';
import { continueReplay } from '#src/event-log/replay-events.ts';
import { clearAbandoned, expireWaiting } from '#src/queue/cleanup.ts';
import { keepTotals, type TotalsDeps } from '#src/totals/keep-totals.ts';
import { removeIdleCallbacks } from '#src/subscriptions/remove-idle-callbacks.ts';

const clearIntervalMs = 15_000;
const expiryIntervalMs = 30_000;
/** What a process has left that died; a new recovery is begun at once. */
const recoveryIntervalMs = 30_000;
const idleCallbacksIntervalMs = 30_000;

export interface Upkeep extends AsyncDisposable {
  /** Continues recoveries now. */
  readonly recover: () => void;
  /** Continues replays now. */
  readonly replay: () => void;
}

/** Background work beside the deliveries: expiry, cleanup and recoveries, each a batch at a time. */
export function startUpkeep(deps: GiveDeps & TotalsDeps, logger: Logger, onDue: () => void): Upkeep {
  const { database } = deps;
  const loops = new AsyncDisposableStack();
  loops.use(
    startLoop({
      name: 'abandoned queues',
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
  loops.use(keepTotals(deps, logger));
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
  const replaying = loops.use(
    startLoop({
      name: 'replay of events',
      intervalMs: recoveryIntervalMs,
      logger,
      work: async () => {
        const more = await continueReplay(deps);
        if (more) onDue();
        return more;
      },
    }),
  );
  return {
    recover: () => recovering.wake(),
    replay: () => replaying.wake(),
    [Symbol.asyncDispose]: () => loops.disposeAsync(),
  };
}
