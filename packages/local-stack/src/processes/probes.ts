import { readFileSync } from 'node:fs';
import { get } from 'node:https';
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

const probeTimeoutMs = 2_000;

/**
 * Whether a GET answers 2xx within two seconds. Never throws.
 *
 * @param caFile of an authority to believe instead of the usual ones
 */
export async function httpAnswersOk(url: string, caFile?: string): Promise<boolean> {
  try {
    if (caFile !== undefined) return await tlsAnswersOk(url, readFileSync(caFile, 'utf8'));
    const response = await fetch(url, { signal: AbortSignal.timeout(probeTimeoutMs) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

async function tlsAnswersOk(url: string, ca: string): Promise<boolean> {
  return await new Promise((resolve, reject) => {
    get(url, { ca, signal: AbortSignal.timeout(probeTimeoutMs) }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on('error', reject);
  });
}
