import { setTimeout as delay } from 'node:timers/promises';

/** Asks again and again until `condition` holds; false when `deadlineMs` passed first. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  deadlineMs: number,
  intervalMs = 50,
): Promise<boolean> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    if (await condition()) return true;
    if (Date.now() >= deadline) return false;
    await delay(intervalMs);
  }
}
