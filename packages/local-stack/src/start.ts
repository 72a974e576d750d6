import { join } from 'node:path';
import { stopOnSignals } from '#src/processes/stop-on-signals.ts';
import { StartFailure } from '#src/progress.ts';
import type { SignInLink } from '#src/stack/demo-merchant.ts';
import { portFromEnvironment } from '#src/stack/ports.ts';
import { startStack, type Stack } from '#src/stack/start-stack.ts';
import { gatewayHome } from '#src/stack/homes.ts';

// A reader that went away (`npm start | head`) must not take the stack down.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

const starting = new AbortController();
let stack: Stack | undefined;
const interruption = stopOnSignals({
  stop: async () => {
    process.stdout.write('stopping …\n');
    starting.abort();
    await started.catch(() => undefined);
    await stack?.stop();
    process.stdout.write('stopped; the data is kept\n');
  },
  kill: () => stack?.killAll(),
});

const started = run();
try {
  await started;
} catch (error) {
  if (!interruption.requested) {
    const known = error instanceof StartFailure;
    process.stderr.write(`${known ? error.message : (error as Error).stack}\n`);
    process.exit(1);
  }
}

async function run(): Promise<void> {
  const home = gatewayHome();
  stack = await startStack({
    home,
    traces: true,
    ports: {
      public: portFromEnvironment('PORT', 8080),
      ops: portFromEnvironment('OPS_PORT', 9080),
      console: portFromEnvironment('CONSOLE_PORT', 8088),
      simulator: portFromEnvironment('SIMULATOR_PORT', 9090),
    },
    databaseUrl: process.env.DATABASE_URL || undefined,
    natsUrl: process.env.NATS_URL || undefined,
    signal: starting.signal,
  });
  process.stdout.write(`${welcome(stack, home, await stack.signInLinks())}\n`);
}

function welcome({ dev }: Stack, home: string, links: readonly SignInLink[]): string {
  const merchant = dev.merchants[0];
  const lines = [
    '',
    'The gateway is ready.',
    `  API                 ${dev.base_url}  (guides and reference: ${dev.base_url}/docs)`,
    `  operators           ${dev.ops_url}`,
    `  merchants           ${dev.merchant_console_url}`,
    `  provider simulator  ${dev.simulator_url}`,
    `  written down in     ${join(home, 'dev.json')}; logs in ${join(home, 'logs')}`,
  ];
  if (links.length > 0) {
    lines.push('', 'The consoles, signed in by a link that works once within an hour:');
    lines.push(...links.map((link) => `  ${link.console.padEnd(10)} ${link.name.padEnd(6)} ${link.url}`));
    lines.push('  another link: npm run login -- <name>');
  }
  if (merchant === undefined) return lines.join('\n');
  return [
    ...lines,
    '',
    `${merchant.name} (${merchant.account_id})`,
    `  test  ${merchant.test.public_key}  ${merchant.test.secret_key}`,
    `  live  ${merchant.live.public_key}  ${merchant.live.secret_key}`,
    '',
    'A first charge of R$ 15,00:',
    `  curl -s ${dev.base_url}/v1/deposits -H 'content-type: application/json' \\`,
    `    -H 'x-api-key: ${merchant.test.public_key}' -H 'x-api-secret: ${merchant.test.secret_key}' \\`,
    `    -d '{"amount_cents":1500,"external_id":"first-charge"}'`,
    '',
    'Ctrl-C stops everything.',
  ].join('\n');
}
