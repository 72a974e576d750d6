import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../faults/errors.ts';
import type { Profile } from './profiles.ts';

/**
 * The test key of `npm start`, by the nearest `.gateway/dev.json` from the folder upwards, or by the folder of
 * `GATEWAY_HOME`: whatever ports that stack is on.
 *
 * @throws UsageError when there is none
 */
export function readDevFile(folder: string, home?: string): Profile {
  const file = home === undefined || home === '' ? findUpwards(folder) : join(home, 'dev.json');
  if (file === undefined || !existsSync(file))
    throw new UsageError(`there is no ${file ?? '.gateway/dev.json here or above'}: is \`npm start\` running?`);
  return profileOf(file);
}

function findUpwards(folder: string): string | undefined {
  const file = join(folder, '.gateway/dev.json');
  if (existsSync(file)) return file;
  const above = dirname(folder);
  return above === folder ? undefined : findUpwards(above);
}

interface DevFile {
  readonly base_url: string;
  readonly merchant_console_url?: string;
  readonly merchants: readonly { readonly test: { readonly public_key: string; readonly secret_key: string } }[];
}

function profileOf(file: string): Profile {
  try {
    const { base_url, merchant_console_url: console, merchants } = JSON.parse(readFileSync(file, 'utf8')) as DevFile;
    const [merchant] = merchants;
    if (merchant === undefined) throw new UsageError(`${file} has no merchant`);
    const { public_key, secret_key } = merchant.test;
    return { base_url, public_key, secret_key, ...(console === undefined ? {} : { console_url: console }) };
  } catch {
    throw new UsageError(`${file} is not as \`npm start\` writes it`);
  }
}
