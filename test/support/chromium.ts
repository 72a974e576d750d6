import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const installer = 'apt-get';
const hint = 'chromium is missing: install it (Debian: apt-get install chromium)';

/** A headless browser of the system's; as root, on Debian and Ubuntu, it is installed where there is none. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = find() ?? install();
  // Chromium's own sandbox does not start for root; the pages are ours alone.
  return await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
}

function find(): string | undefined {
  return places.find((place) => existsSync(place));
}

function install(): string {
  if (process.getuid?.() !== 0) throw new Error(hint);
  const packages = ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation'];
  if (!succeeds(packages)) {
    succeeds(['update']);
    if (!succeeds(packages)) throw new Error(hint);
  }
  const found = find();
  if (!found) throw new Error(hint);
  return found;
}

function succeeds(args: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(installer, args, { env, stdio: 'ignore' }).status === 0;
}
