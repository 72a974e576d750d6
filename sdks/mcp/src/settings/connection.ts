import { GatewayError, type Environment } from '@gateway/sdk';
import { readDevFile, readProfile } from './files.ts';

/** Which gateway with which key. */
export interface Connection {
  readonly baseUrl: string;
  readonly publicKey: string;
  readonly secretKey: string;
  readonly environment: Environment;
}

export interface Flags {
  /** Without it a live key is refused; with it the server reads and never changes. */
  readonly allowLive: boolean;
  /** The key of `npm start`, by the `.gateway/dev.json` of this folder or one above. */
  readonly local: boolean;
  readonly profile: string | undefined;
}

type Variables = Readonly<Record<string, string | undefined>>;
type Credentials = Omit<Connection, 'environment'>;

/**
 * The key by flag, else by `GATEWAY_BASE_URL`, `GATEWAY_API_KEY` and `GATEWAY_API_SECRET`, else by the profile of the command
 * line. A key is never an argument, where other users of the machine would read it.
 *
 * @throws GatewayError that says what is missing, or that the key is live
 */
export function connectionOf(flags: Flags, variables: Variables, folder: string): Connection {
  const credentials = credentialsOf(flags, variables, folder);
  const environment = environmentOf(credentials.publicKey);
  if (environment === 'live' && !flags.allowLive)
    throw new GatewayError('the key is live: use a test key, or --allow-live to read, which never changes anything');
  return { ...credentials, environment };
}

function credentialsOf({ local, profile }: Flags, variables: Variables, folder: string): Credentials {
  if (local) return readDevFile(folder);
  if (profile !== undefined || variables['GATEWAY_API_KEY'] === undefined) return readProfile(profile, variables);
  const read = (name: string) => {
    const value = variables[name];
    if (value === undefined || value === '') throw new GatewayError(`${name} is not set`);
    return value;
  };
  return {
    baseUrl: read('GATEWAY_BASE_URL'),
    publicKey: read('GATEWAY_API_KEY'),
    secretKey: read('GATEWAY_API_SECRET'),
  };
}

/** What does not say that it is a test key is live. */
function environmentOf(publicKey: string): Environment {
  return publicKey.startsWith('pk_test_') ? 'test' : 'live';
}
