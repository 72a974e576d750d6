import { UsageError } from '../faults/errors.ts';
import type { Variables } from './folders.ts';
import { defaultProfile, type Profile, readConfig, requireProfile } from './profiles.ts';

/** Which gateway with which key. */
export interface Connection extends Profile {
  /** Undefined when the key is from the environment. */
  readonly name: string | undefined;
  readonly environment: 'test' | 'live';
}

export interface ConnectionFlags {
  readonly profile?: string | undefined;
  readonly 'base-url'?: string | undefined;
}

/**
 * By flag, else by environment (`GATEWAY_API_KEY` with `GATEWAY_API_SECRET` and `GATEWAY_BASE_URL`, or `GATEWAY_PROFILE`),
 * else by the current profile. A key is never an argument, where every user of the machine reads it.
 *
 * @throws UsageError that says what is missing
 */
export function connectionOf(flags: ConnectionFlags, variables: Variables): Connection {
  const { name, profile } = profileOf(flags, variables);
  // A key goes to the address that it was set up with: that of another key in the environment would get it.
  const base_url = flags['base-url'] ?? profile.base_url;
  return { ...profile, base_url, name, environment: environmentOf(profile.public_key) };
}

function profileOf(
  { profile: flag }: ConnectionFlags,
  variables: Variables,
): { readonly name: string | undefined; readonly profile: Profile } {
  if (flag !== undefined) return { name: flag, profile: requireProfile(variables, flag) };
  const key = variables['GATEWAY_API_KEY'];
  if (key !== undefined && key !== '') {
    const read = (name: string) => {
      const value = variables[name];
      if (value === undefined || value === '') throw new UsageError(`GATEWAY_API_KEY is set and ${name} is not`);
      return value;
    };
    const profile = {
      base_url: read('GATEWAY_BASE_URL'),
      public_key: key,
      secret_key: read('GATEWAY_API_SECRET'),
    };
    return { name: undefined, profile };
  }
  const { current, profiles } = readConfig(variables);
  if (Object.keys(profiles).length === 0 && variables['GATEWAY_PROFILE'] === undefined)
    throw new UsageError('no key: `gateway login` keeps one, `gateway login --local` takes that of `npm start`');
  const name = variables['GATEWAY_PROFILE'] ?? current ?? defaultProfile;
  return { name, profile: requireProfile(variables, name) };
}

/** @throws UsageError for what is no public key */
export function environmentOf(publicKey: string): 'test' | 'live' {
  const environment = /^(?:pk|ak)_(test|live)_/.exec(publicKey)?.[1];
  if (environment === undefined) throw new UsageError('a public key begins with pk_test_ or pk_live_');
  return environment as 'test' | 'live';
}
