import { chromium, type Browser } from 'playwright-core';
import { chromiumBinary } from '@gateway/local-stack';

/** A headless browser of the system's; as root, on Debian and Ubuntu, it is installed where there is none. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = await chromiumBinary();
  // Chromium's own sandbox does not start for root; the pages are ours alone.
  return await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
}
