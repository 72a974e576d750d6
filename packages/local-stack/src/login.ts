import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartFailure } from '#src/progress.ts';
import { readDevFile } from '#src/stack/demo-merchant.ts';
import { gatewayHome } from '#src/stack/homes.ts';
import { signInLink } from '#src/stack/sign-in-links.ts';
import { StateDirectory } from '#src/state-directory.ts';

// `npm run login -- <name>`: another link for one of the people of the stack that is running on this machine.

const loopback = '127.0.0.1';
const database = 'gateway_identity';

try {
  process.stdout.write(`${await linkOf(process.argv[2] ?? '')}\n`);
} catch (error) {
  if (!(error instanceof StartFailure)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function linkOf(name: string): Promise<string> {
  const home = new StateDirectory(gatewayHome());
  const dev = readDevFile(home.devFile);
  const databaseUrl = localDatabaseUrl(home);
  if (!dev || databaseUrl === undefined) throw new StartFailure(`no stack is running in ${home.path}: npm start`);
  const environment = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    // Only read by the services that are running; the command talks to no broker.
    NATS_URL: `nats://${loopback}`,
    SECRETS_KEY: home.secrets().secretsKey,
    OPERATOR_CONSOLE_URL: dev.console_url,
    CONSOLE_URL: dev.merchant_console_url,
    DEV_LOGIN: 'true',
  };
  const { url } = await signInLink(name, { environment, accountId: dev.merchants[0]?.account_id });
  return url;
}

/** Of the embedded PostgreSQL, which writes its port into the fourth line; undefined while it is not running. */
function localDatabaseUrl(home: StateDirectory): string | undefined {
  const running = join(home.path, 'postgres/data/postmaster.pid');
  if (!existsSync(running)) return undefined;
  const port = readFileSync(running, 'utf8').split('\n')[3] ?? '';
  const password = encodeURIComponent(home.databasePassword(database));
  return `postgresql://${database}:${password}@${loopback}:${port}/${database}`;
}
