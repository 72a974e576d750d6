import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { natsBinary } from '#src/infrastructure/nats-binary.ts';
import { httpAnswersOk } from '#src/processes/http-answers-ok.ts';
import { freePort } from '#src/processes/free-port.ts';
import { brokerTier } from '#src/processes/tiers.ts';
import type { ProcessDefinition } from '#src/processes/supervised-process.ts';
import type { Progress } from '#src/progress.ts';
import type { StateDirectory } from '#src/stack/state-directory.ts';

const stopTimeoutMs = 10_000;
const loopback = '127.0.0.1';
const ownUser = 'gateway';

export interface NatsDefinition {
  definition: ProcessDefinition;
  url: string;
  /** JetStream's files; removing them while the server is stopped simulates a lost broker. */
  storeDirectory: string;
}

/** Who may connect, in an account of its own: the subjects and streams of one are invisible to the others. */
export interface NatsUser {
  user: string;
  password: string;
}

/**
 * A nats-server with JetStream on loopback, its ports kept while the stack runs. Runs on 2.9 and newer.
 *
 * @param users when there are none, everything is behind one password, which is in the URL
 */
export async function natsServer(
  home: StateDirectory,
  users: readonly NatsUser[],
  progress: Progress,
): Promise<NatsDefinition> {
  const command = await natsBinary(home.path, progress);
  const [port, monitoringPort] = [await freePort(), await freePort()];
  const directory = join(home.path, 'nats');
  const configFile = join(directory, 'nats.conf');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const access = users.length === 0 ? onePassword(home.natsPassword()) : natsAccounts(users);
  writeFileSync(configFile, configuration(port, monitoringPort, directory, access), { mode: 0o600 });
  return {
    url:
      users.length === 0
        ? `nats://${ownUser}:${home.natsPassword()}@${loopback}:${port}`
        : `nats://${loopback}:${port}`,
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

/** Other users of this machine reach its loopback too, and whoever may publish may command the ledger. */
function onePassword(password: string): string {
  return `authorization { user: ${ownUser}, password: ${JSON.stringify(password)} }`;
}

function configuration(port: number, monitoringPort: number, directory: string, access: string): string {
  return `server_name: gateway
listen: "${loopback}:${port}"
http: "${loopback}:${monitoringPort}"
jetstream {
  store_dir: ${JSON.stringify(directory)}
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
