import { setTimeout as delay } from 'node:timers/promises';
import { startCpuMeter, type CpuUse } from './cpu-meter.ts';

const windowMs = 300;
/** Idle services poll now and then. */
const quietCores = 0.2;
const waitMaxMs = 60_000;

/**
 * Waits until what our processes were given to do is done: events published, payouts settled, webhooks delivered.
 * Otherwise one contender's rest would be carried by the next.
 *
 * @returns how long they were busy
 */
export async function untilQuiet(): Promise<number> {
  let busyMs = 0;
  while (busyMs < waitMaxMs) {
    const used = startCpuMeter();
    await delay(windowMs);
    const window = used();
    if (coresOf(window) <= quietCores) return busyMs;
    busyMs += window.elapsedMs;
  }
  return busyMs;
}

function coresOf({ byProcess, elapsedMs }: CpuUse): number {
  return Object.values(byProcess).reduce((sum, ms) => sum + ms, 0) / elapsedMs;
}
