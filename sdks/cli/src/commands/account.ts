import { type Command, textFlag } from '../command/command.ts';
import type { Session } from '../calls/session.ts';
import { exactly, UsageError } from '../faults/errors.ts';
import { explained } from '../operations/failures.ts';
import { askSecret, firstLine } from '../output/ask-secret.ts';
import { environmentOf } from '../settings/connection.ts';
import { readDevFile } from '../settings/dev-file.ts';
import {
  defaultProfile,
  keepProfile,
  type Profile,
  readConfig,
  removeProfile,
  selectProfile,
} from '../settings/profiles.ts';

const group = 'Set up';

export const accountCommands: readonly Command[] = [
  {
    words: ['login'],
    ids: [],
    group,
    summary: 'Keeps a key pair as a profile, and makes it the current one',
    details:
      'With --local the test key of `npm start`, by the nearest .gateway/dev.json: no address and no key is typed. Otherwise ' +
      'it asks for address, public key and secret key, the secret without showing it; piped, the secret is the first line ' +
      'of standard input. The pair is checked before it is kept.',
    options: {
      local: { type: 'boolean', about: 'The test key of `npm start`, whatever its ports; the profile is `local`.' },
      'public-key': { type: 'string', hint: 'pk_…', about: 'The public key; asked for without it.' },
    },
    examples: ['gateway login --local', 'gateway login --profile shop --base-url https://gateway.example'],
    run: async ({ session, flags }) => {
      const isLocal = flags['local'] === true;
      const profile = isLocal
        ? readDevFile(session.folder, session.variables['GATEWAY_HOME'])
        : await askProfile(session, textFlag(flags, 'base-url'), textFlag(flags, 'public-key'));
      const name = textFlag(flags, 'profile') ?? (isLocal ? 'local' : defaultProfile);
      const account = await accountOf(session, name, profile);
      keepProfile(session.variables, name, profile);
      session.output.talk(`profile ${name}: ${account.name}, ${account.environment}, at ${profile.base_url}`);
    },
  },
  {
    words: ['logout'],
    ids: ['profile?'],
    group,
    summary: 'Takes a profile and its key off this machine',
    details: 'The key stays valid at the gateway.',
    options: {},
    run: async ({ session: { variables, output }, ids: [given], flags }) => {
      const name = given ?? textFlag(flags, 'profile') ?? readConfig(variables).current ?? defaultProfile;
      removeProfile(variables, name);
      output.talk(`profile ${name} is removed`);
    },
  },
  {
    words: ['profiles'],
    ids: [],
    group,
    summary: 'Lists the profiles',
    options: {},
    run: async ({ session: { variables, output } }) => {
      const { current, profiles } = readConfig(variables);
      const rows = Object.entries(profiles).map(([name, { base_url, public_key }]) => {
        return { name, environment: environmentOf(public_key), base_url, public_key, current: name === current };
      });
      output.list(rows, { data: rows }, ['name', 'environment', 'base_url', 'public_key', 'current']);
    },
  },
  {
    words: ['profiles', 'use'],
    ids: ['profile'],
    group,
    summary: 'Makes a profile the current one',
    options: {},
    run: async ({ session: { variables, output }, ids }) => {
      const [name] = exactly(ids, 1);
      selectProfile(variables, name);
      output.talk(`the current profile is ${name}`);
    },
  },
  {
    words: ['whoami'],
    ids: [],
    group,
    summary: 'The key in use and its account',
    options: {},
    run: async ({ session }) => {
      const { name, base_url, public_key, environment } = session.connection;
      const account = await accountOf(session, name, session.connection);
      session.output.record({ profile: name ?? null, base_url, environment, public_key, account });
    },
  },
];

async function accountOf(session: Session, name: string | undefined, profile: Profile) {
  const connection = { ...profile, name, environment: environmentOf(profile.public_key) };
  try {
    return await session.gatewayOf(connection, session.contract).account.get({ signal: session.signal });
  } catch (error) {
    throw explained(error, { method: 'GET', path: '/v1/account' }, profile.base_url);
  }
}

async function askProfile(session: Session, baseUrl?: string, publicKey?: string): Promise<Profile> {
  const { output } = session;
  const ask = async (given: string | undefined, question: string, flag: string) => {
    const answer = given ?? (await output.ask(question));
    if (answer === undefined || answer === '') throw new UsageError(`without a terminal ${flag} is needed`);
    return answer;
  };
  const base_url = await ask(
    baseUrl ?? session.variables['GATEWAY_BASE_URL'],
    'Address of the gateway: ',
    '--base-url',
  );
  const public_key = await ask(publicKey, 'Public key: ', '--public-key');
  environmentOf(public_key);
  const secret_key = output.isTerminal
    ? await askSecret(output.streams, 'Secret key (not shown): ')
    : await firstLine(output.streams.stdin);
  if (secret_key === '') throw new UsageError('no secret key came: type it, or pipe it to standard input');
  return { base_url: base_url.replace(/\/+$/, ''), public_key, secret_key };
}
