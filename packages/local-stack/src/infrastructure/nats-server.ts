import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { natsBinary } from '#src/infrastructure/nats-binary.ts';
import { freePort } from '#src/processes/free-port.ts';
import { httpAnswersOk } from '#src/processes/probes.ts';
import { brokerTier, type ProcessDefinition } from '#src/processes/supervised-process.ts';
import type { Progress } from '#src/progress.ts';
import { repository, type StateDirectory } from '#src/state-directory.ts';

const stopTimeoutMs = 10_000;
const loopback = '127.0.0.1';
/** Room is set aside for each stream by its contract, also where the disk has less: files grow with what is in them. */
const fileStoreMax = '1TB';
/** As in deploy/nats. */
const payloadMax = '8MB';
/** May do everything: for tests, benchmarks and a look at the broker of a developer's machine. */
const administrator = 'gateway';
const permissionsFile = 'permissions.conf';

/** What each service's user may do, generated from the contracts. */
export const natsPermissions = join(repository, 'deploy/nats', permissionsFile);
const permissions = permissionVariables();

export interface NatsDefinition {
  definition: ProcessDefinition;
  /** The administrator's, or without a user where the users have accounts of their own. */
  url: string;
  /** For a service that has a user of its own, with the permissions that it has in every deployment. */
  urlOf: (service: string) => string | undefined;
  /** JetStream's files; removing them while the server is stopped simulates a lost broker. */
  storeDirectory: string;
}

/** Who may connect, in an account of its own: the subjects and streams of one are invisible to the others. */
export interface NatsUser {
  user: string;
  password: string;
}

/**
 * A nats-server with JetStream on loopback, its ports kept while the stack runs.
 *
 * @param options.users when there are none, there are an administrator, whose password is in the URL, and a user per service
 */
export async function natsServer(
  home: StateDirectory,
  { users, tls }: { readonly users: readonly NatsUser[]; readonly tls?: string | undefined },
  progress: Progress,
): Promise<NatsDefinition> {
  const command = await natsBinary(progress);
  const [port, monitoringPort] = [await freePort(), await freePort()];
  const directory = join(home.path, 'nats');
  const configFile = join(directory, 'nats.conf');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (users.length === 0) copyFileSync(natsPermissions, join(directory, permissionsFile));
  const access = users.length === 0 ? deployedUsers(home) : natsAccounts(users);
  const urlOf = (user: string) => `nats://${user}:${home.natsPassword(user)}@${loopback}:${port}`;
  writeFileSync(configFile, configuration(port, monitoringPort, directory, `${access}\n${tlsOf(tls)}`), {
    mode: 0o600,
  });
  return {
    url: users.length === 0 ? urlOf(administrator) : `nats://${loopback}:${port}`,
    urlOf: (service) => (permissions.has(service) && users.length === 0 ? urlOf(service) : undefined),
    storeDirectory: join(directory, 'jetstream'),
    definition: {
      name: 'nats',
      command,
      args: ['-c', configFile],
      env: { PATH: process.env.PATH },
      cwd: directory,
      logFile: home.logFile('nats'),
      stopSignal: 'SIGTERM',
      stopTimeoutMs,
      tier: brokerTier,
      isReady: () => httpAnswersOk(`http://${loopback}:${monitoringPort}/healthz`),
    },
  };
}

/**
 * Other users of this machine reach its loopback too, and a client that may publish may command the ledger. The services have
 * the permissions of a deployment, so that one that is missing is missed by every test of the whole product.
 */
function deployedUsers(home: StateDirectory): string {
  const services = [...permissions.keys()].map((name) => natsUser(name, home.natsPassword(name)));
  const users = [natsUser(administrator, home.natsPassword(administrator)), ...services];
  return `include ./${permissionsFile}\nauthorization { users: [\n${users.join('\n')}\n] }`;
}

/** One line of a nats-server's list of users; a service's has the permissions of the generated file. */
export function natsUser(name: string, password: string): string {
  const variable = permissions.get(name);
  const allowed = variable === undefined ? '' : `, permissions: $${variable}`;
  return `  { user: ${JSON.stringify(name)}, password: ${JSON.stringify(password)}${allowed} }`;
}

/** The variable of each service in the generated file: `PERMISSIONS_API_GATEWAY` is api-gateway's. */
function permissionVariables(): ReadonlyMap<string, string> {
  const names = [...readFileSync(natsPermissions, 'utf8').matchAll(/^PERMISSIONS_([A-Z_]+):/gm)].map(
    ([, name = '']) => name,
  );
  return new Map(names.map((name) => [name.toLowerCase().replaceAll('_', '-'), `PERMISSIONS_${name}`]));
}

/** Clients that do not speak TLS are turned away. */
function tlsOf(directory: string | undefined): string {
  if (directory === undefined) return '';
  const file = (name: string) => JSON.stringify(join(directory, 'nats', name));
  return `tls { cert_file: ${file('cert.pem')}, key_file: ${file('key.pem')}, timeout: 5 }`;
}

function configuration(port: number, monitoringPort: number, directory: string, access: string): string {
  return `server_name: gateway
listen: "${loopback}:${port}"
http: "${loopback}:${monitoringPort}"
max_payload: ${payloadMax}
jetstream {
  store_dir: ${JSON.stringify(directory)}
  max_file_store: ${fileStoreMax}
}
${access}
`;
}

/**
 * The part of a nats-server's configuration that gives every user an account of its own. A connection without a name
 * gets one more account. Without users: empty, and everybody shares the one account there is.
 */
export function natsAccounts(users: readonly NatsUser[]): string {
  if (users.length === 0) return '';
  const accounts = [{ user: 'anyone', password: 'anyone' }, ...users].map(
    ({ user, password }) =>
      `  ${user} { jetstream: enabled, users: [{ user: ${JSON.stringify(user)}, password: ${JSON.stringify(password)} }] }`,
  );
  return `accounts {\n${accounts.join('\n')}\n}\nno_auth_user: anyone\n`;
}
