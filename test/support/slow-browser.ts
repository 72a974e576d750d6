import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';

/** Set to find the races of a test or of a page: each of its pages is then as on a slow machine behind a slow network. */
const isSlow = process.env.SLOW_BROWSER === '1';
const answersAfterMs = [200, 900] as const;
const codeAfterMs = [100, 400] as const;
// The processor is left alone: Chromium throttles it by spinning, which takes the cores from all the other pages.

/** Delays what the pages of a context ask for, each by a time of its own: answers come in another order every time. */
export async function slowDown(context: BrowserContext): Promise<void> {
  if (!isSlow) return;
  await context.route('**/*', async (route) => {
    const type = route.request().resourceType();
    if (type === 'fetch' || type === 'xhr') await sleep(randomInt(...answersAfterMs));
    if (type === 'script' || type === 'stylesheet') await sleep(randomInt(...codeAfterMs));
    // The page may be gone by now.
    await route.continue().catch(() => undefined);
  });
}
