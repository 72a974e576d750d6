import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { GatewayError } from '@gateway/sdk';

interface Credentials {
  readonly baseUrl: string;
  readonly publicKey: string;
  readonly secretKey: string;
}

const profileSchema = z.object({ base_url: z.string(), public_key: z.string(), secret_key: z.string() });
const configSchema = z.object({ current: z.string().optional(), profiles: z.record(z.string(), profileSchema) });

const keysSchema = z.object({ public_key: z.string(), secret_key: z.string() });
const devFileSchema = z.object({
  base_url: z.string(),
  merchants: z.array(z.object({ test: keysSchema })).min(1),
});

/** Bits of a mode by which the group or everybody reads or writes. */
const othersMask = 0o077;

/**
 * A profile of `$XDG_CONFIG_HOME/gateway/config.json`: the one that is named, else the current one, else `default`.
 *
 * @throws GatewayError when it is missing, or when others than its owner can read it
 */
export function readProfile(
  name: string | undefined,
  variables: Readonly<Record<string, string | undefined>>,
): Credentials {
  const home = variables['XDG_CONFIG_HOME'] ?? join(homedir(), '.config');
  const file = join(home, 'gateway/config.json');
  refuseWhatOthersRead(dirname(file));
  refuseWhatOthersRead(file);
  const { current, profiles } = parsed(file, configSchema);
  const chosen = name ?? current ?? 'default';
  const profile = Object.hasOwn(profiles, chosen) ? profiles[chosen] : undefined;
  if (profile === undefined) throw new GatewayError(`${file} has no profile ${chosen}`);
  return credentialsOf(profile.base_url, profile);
}

/** The test key of `npm start`, by the nearest `.gateway/dev.json` from the folder upwards. */
export function readDevFile(folder: string): Credentials {
  const file = join(folder, '.gateway/dev.json');
  const isThere = statSync(file, { throwIfNoEntry: false }) !== undefined;
  if (!isThere) {
    const above = dirname(folder);
    if (above === folder)
      throw new GatewayError('there is no .gateway/dev.json here or above: is `npm start` running?');
    return readDevFile(above);
  }
  const { base_url, merchants } = parsed(file, devFileSchema);
  const [merchant] = merchants;
  if (merchant === undefined) throw new GatewayError(`${file} has no merchant`);
  return credentialsOf(base_url, merchant.test);
}

function credentialsOf(baseUrl: string, { public_key, secret_key }: z.infer<typeof keysSchema>): Credentials {
  return { baseUrl, publicKey: public_key, secretKey: secret_key };
}

function refuseWhatOthersRead(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new GatewayError(`no key: set GATEWAY_API_KEY, or make ${path}`);
  if ((found.mode & othersMask) !== 0)
    throw new GatewayError(`others can read ${path}: chmod ${found.isDirectory() ? '700' : '600'} it`);
}

/** @throws GatewayError that names the file and never shows what is in it */
function parsed<Schema extends z.ZodType>(file: string, schema: Schema): z.infer<Schema> {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new GatewayError(`${file} is not as it is written by the gateway’s tools`);
  }
}
