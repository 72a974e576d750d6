import { join } from 'node:path';
import { UsageError } from '../faults/errors.ts';
import { configFolder, type Variables } from './folders.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

/** A key pair and where it is used. */
export interface Profile {
  readonly base_url: string;
  readonly public_key: string;
  readonly secret_key: string;
  /** The merchants' console beside it, where it is known. */
  readonly console_url?: string;
}

interface Config {
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
  /** The `whsec_…` that `listen` signs with, by public key. */
  readonly listen_secrets?: Readonly<Record<string, string>>;
}

export const defaultProfile = 'default';

function fileOf(variables: Variables): string {
  return join(configFolder(variables), 'config.json');
}

/** @throws UsageError when others can read the file, or when it is not one of ours */
export function readConfig(variables: Variables): Config {
  const file = fileOf(variables);
  const text = readPrivateFile(file);
  if (text === undefined) return { profiles: {} };
  const config = parsed(text);
  if (!isConfig(config)) throw new UsageError(`${file} is not as \`gateway login\` writes it`);
  return config;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isConfig(value: unknown): value is Config {
  if (!isRecord(value) || !isRecord(value['profiles'])) return false;
  const secrets = value['listen_secrets'] ?? {};
  return Object.values(value['profiles']).every(isProfile) && isRecord(secrets) && Object.values(secrets).every(isText);
}

function isProfile(value: unknown): boolean {
  return isRecord(value) && ['base_url', 'public_key', 'secret_key'].every((name) => isText(value[name]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Writes what `change` makes of the configuration, for its owner alone. */
function changeConfig(variables: Variables, change: (config: Config) => Config): void {
  writePrivateFile(fileOf(variables), `${JSON.stringify(change(readConfig(variables)), null, 2)}\n`);
}

/** Keeps a profile and makes it the current one. */
export function keepProfile(variables: Variables, name: string, profile: Profile): void {
  changeConfig(variables, (config) => ({
    ...config,
    current: name,
    profiles: { ...config.profiles, [name]: profile },
  }));
}

/** @throws UsageError for a profile that is not there */
export function selectProfile(variables: Variables, name: string): void {
  requireProfile(variables, name);
  changeConfig(variables, (config) => ({ ...config, current: name }));
}

/** Takes the key of a profile off this machine. It stays valid at the gateway. @throws UsageError as `selectProfile` */
export function removeProfile(variables: Variables, name: string): void {
  const { public_key: publicKey } = requireProfile(variables, name);
  changeConfig(variables, ({ current, profiles, listen_secrets: secrets = {} }) => {
    const left = Object.fromEntries(Object.entries(profiles).filter(([other]) => other !== name));
    const isUsed = Object.values(left).some(({ public_key: other }) => other === publicKey);
    const kept = Object.fromEntries(Object.entries(secrets).filter(([key]) => isUsed || key !== publicKey));
    return { ...(current === undefined || current === name ? {} : { current }), profiles: left, listen_secrets: kept };
  });
}

export function requireProfile(variables: Variables, name: string): Profile {
  const { profiles } = readConfig(variables);
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return profile;
  const known = Object.keys(profiles);
  const hint = known.length === 0 ? '`gateway login` makes one' : `there is ${known.join(', ')}`;
  throw new UsageError(`there is no profile ${name}: ${hint}`);
}

/** The secret that `listen` signs with for a key: the one of before, or the one that `make` gives, which is kept. */
export function keepListenSecret(variables: Variables, publicKey: string, make: () => string): string {
  const kept = readConfig(variables).listen_secrets?.[publicKey];
  if (kept !== undefined) return kept;
  const secret = make();
  changeConfig(variables, (config) => ({
    ...config,
    listen_secrets: { ...config.listen_secrets, [publicKey]: secret },
  }));
  return secret;
}
