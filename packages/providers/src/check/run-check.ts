import { parseArgs } from 'node:util';
import { checkProvider } from '#src/check/check-provider.ts';
import type { CheckStep } from '#src/check/check-step.ts';
import { providersVariableSchema, simulatorConfigs } from '#src/live-providers.ts';
import type { ProviderConfig } from '#src/providers-from-config.ts';

/** Exit codes of `npm run provider:check`: scripts and pipelines branch on them. */
const exitCodes = { ok: 0, failed: 1, unusable: 2 } as const;

const usage = `usage: npm run provider:check -- [--provider <id>] [--environment live|test] [--register]

  --provider     checks this one alone; without it all of PROVIDERS
  --environment  live (default); test has the built-in sandbox and nothing to configure
  --register     registers the webhook before it is compared

Reads PROVIDERS and PROVIDERS_CALLBACK_URL, or SIMULATOR_URL, as the services do. Moves no money, prints no secret.
Exit codes: 0 nothing is missing, 1 a check failed, 2 the configuration or the command cannot be read.`;

/** Where the check finds what the services are configured with, and where it prints. */
export interface CheckContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  readonly print: (line: string) => void;
}

/** Checks the configured providers one after the other. Answers the exit code. */
export async function runProviderCheck(args: readonly string[], context: CheckContext): Promise<number> {
  const { print } = context;
  const command = readCommand(args);
  if (typeof command === 'string') {
    print(command);
    return command === usage ? exitCodes.ok : exitCodes.unusable;
  }
  if (command.environment === 'test') {
    print('test mode uses the built-in sandbox: there are no credentials to check');
    return exitCodes.ok;
  }
  const configs = await configured(context);
  if (typeof configs === 'string') {
    print(configs);
    return exitCodes.unusable;
  }
  const wanted = configs.filter(({ id }) => command.provider === undefined || id === command.provider);
  if (wanted.length === 0) {
    const known = configs.map(({ id }) => id).join(', ');
    print(command.provider === undefined ? noProviders : `no provider ${command.provider}; configured are: ${known}`);
    return exitCodes.unusable;
  }
  const failures = await checkAll(wanted, command.register, context);
  return failures === 0 ? exitCodes.ok : exitCodes.failed;
}

const noProviders = 'no provider is configured: set PROVIDERS, as docs/providers/README.md describes';

interface Command {
  readonly provider: string | undefined;
  readonly environment: 'live' | 'test';
  readonly register: boolean;
}

/** What was asked for, or the text to print instead. */
function readCommand(args: readonly string[]): Command | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        provider: { type: 'string' },
        environment: { type: 'string', default: 'live' },
        register: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const { provider, environment, register, help } = values;
    if (help) return usage;
    if (environment !== 'live' && environment !== 'test') return `--environment is live or test\n\n${usage}`;
    return { provider, environment, register };
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n\n${usage}`;
  }
}

/** The configuration, or what is wrong with it. Members are named and their values are not: they may be secrets. */
async function configured({ env }: CheckContext): Promise<readonly ProviderConfig[] | string> {
  const simulatorUrl = env['SIMULATOR_URL'];
  if (simulatorUrl) {
    try {
      return await simulatorConfigs(simulatorUrl);
    } catch {
      return `the simulator at ${simulatorUrl} does not answer`;
    }
  }
  const parsed = providersVariableSchema.safeParse(env['PROVIDERS'] || undefined);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `  PROVIDERS ${path.join('.')} ${message}`);
  return ['the configuration is not valid:', ...problems].join('\n');
}

async function checkAll(
  configs: readonly ProviderConfig[],
  register: boolean,
  { env, now, print }: CheckContext,
): Promise<number> {
  const callback = env['PROVIDERS_CALLBACK_URL'];
  const callbackUrl = callback ? new URL(callback) : undefined;
  let failures = 0;
  for (const config of configs) {
    print(`${config.id} (${config.kind}, ${config.baseUrl.origin})`);
    const steps = await checkProvider(config, { now, register, ...(callbackUrl ? { callbackUrl } : {}) });
    for (const step of steps) print(lineOf(step));
    failures += steps.filter(({ state }) => state === 'failed').length;
  }
  print(failures === 0 ? 'nothing is missing' : `${failures} ${failures === 1 ? 'check' : 'checks'} failed`);
  return failures;
}

const marks = { ok: 'ok  ', failed: 'FAIL', skipped: 'skip' } as const;
const nameWidth = 22;

function lineOf({ name, state, detail }: CheckStep): string {
  return `  ${marks[state]}  ${name.padEnd(nameWidth)} ${detail}`;
}
