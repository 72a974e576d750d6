import { z } from 'zod';
import { observeProcess } from '#src/telemetry/metrics.ts';
import { startTelemetry } from '#src/telemetry/telemetry.ts';
import { Readiness } from '#src/http/readiness.ts';
import { startInternalServer } from '#src/http/internal-server.ts';
import { giveBackMemory, giveBackMemoryAtRest } from '#src/run/give-back-memory.ts';
import { ConfigError, loadConfig, portSchema } from '#src/run/load-config.ts';
import { internalTlsShape } from '#src/secrets/internal-tls.ts';
import { createLogger, type Logger } from '#src/telemetry/logger.ts';
import type { Neighbours } from '#src/run/neighbours.ts';
import { processScope, type ServiceScope } from '#src/telemetry/service-scope.ts';

/** Longest time an orderly stop may take before the process ends anyway. */
const shutdownTimeoutMs = 10_000;

export interface ServiceContext {
  readonly name: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logger: Logger;
  /** What `/ready` asks; a service adds one check per dependency. */
  readonly readiness: Readiness;
  /** Aborts when the process has to stop, also while it is still starting. */
  readonly signal: AbortSignal;
  /** What the services of this process ask each other without the broker; undefined where it is one service. */
  readonly neighbours?: Neighbours;
}

export type StartService = (context: ServiceContext) => Promise<AsyncDisposable>;

/** A service, as its `main.ts` names it, and the environment that it reads. */
export interface ServiceOfProcess {
  readonly name: string;
  readonly start: StartService;
  readonly env: NodeJS.ProcessEnv;
  /** Its metrics and spans. */
  readonly scope: ServiceScope;
}

/** What every process reads before its service starts. */
export const processConfigSchema = z.object({
  ...internalTlsShape,
  INTERNAL_PORT: portSchema(0).describe('Port of health and metrics; 0 picks a free one.'),
  HOST: z.string().default('127.0.0.1').describe('Address the service listens on.'),
  INTERNAL_HOST: z.string().optional().describe('Address of health and metrics, when it is not HOST.'),
  TRACE_SAMPLE_RATIO: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('Share of the traces that is exported, where an exporter is configured. Failed work always is.'),
  TRACE_DIRECTORY: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Directory in which spans are kept in files of at most 8 MiB per service, for `npm run trace`; on one machine, and where no exporter is configured.',
    ),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('The least severe lines that are logged.'),
});

/** Takes what `main.ts` files hand to `run`, while they are loaded into a process of several services. */
let gathering: ((name: string, start: StartService) => void) | undefined;

/**
 * The life of one service process: logger, telemetry and `/health` first, then the service, until SIGTERM or SIGINT;
 * then everything ends in reverse order, within ten seconds. `/ready` is 503 until `start` has resolved.
 */
export async function run(name: string, start: StartService): Promise<void> {
  if (gathering) gathering(name, start);
  else await runServices(name, [{ name, start, env: process.env, scope: processScope }]);
}

/** Loads a `main.ts` without running it. @throws Error when it runs no service */
export async function serviceOf(main: string): Promise<{ readonly name: string; readonly start: StartService }> {
  let found: { readonly name: string; readonly start: StartService } | undefined;
  gathering = (name, start) => (found = { name, start });
  try {
    await import(main);
  } finally {
    gathering = undefined;
  }
  if (!found) throw new Error(`${main} runs no service`);
  return found;
}

/** The life of a process of one or several services; those that are listed last end first. */
export async function runServices(
  processName: string,
  services: readonly ServiceOfProcess[],
  neighbours?: Neighbours,
): Promise<void> {
  const stopping = new AbortController();
  const stack = new AsyncDisposableStack();
  const configured = services.map((service) => ({ service, config: configOrExit(service) }));
  const logger = createLogger(processName, configured[0]?.config.LOG_LEVEL ?? 'info');
  services[0]?.scope.run(observeProcess);
  const hosted: Hosted[] = [];
  for (const { service, config } of configured) {
    hosted.push(await service.scope.run(() => openHost(service, config, stack)));
  }

  const stop = async (reason: string, exitCode: number): Promise<void> => {
    if (stopping.signal.aborted) return;
    stopping.abort(new Error(reason));
    for (const { readiness } of hosted) readiness.stopping();
    logger.info({ reason }, 'stopping');
    setTimeout(() => process.exit(1), shutdownTimeoutMs).unref();
    await stack.disposeAsync().catch((error: unknown) => logger.error({ err: error }, 'stopping failed'));
    process.exit(exitCode);
  };
  process.on('SIGTERM', () => void stop('SIGTERM', 0));
  process.on('SIGINT', () => void stop('SIGINT', 0));
  process.on('uncaughtException', (error) => crash(logger, stop, error));
  process.on('unhandledRejection', (reason) => crash(logger, stop, reason));

  for (const each of hosted) stack.use(each.stack);
  const { signal } = stopping;
  const context = neighbours ? { signal, neighbours } : { signal };
  const start = async (each: Hosted): Promise<void> => {
    if (!(await each.scope.run(() => startHosted(each, context)))) await stop('could not start', 1);
  };
  await Promise.all(hosted.map(start));
  setImmediate(() => {
    if (signal.aborted) return;
    giveBackMemory();
    stack.use(giveBackMemoryAtRest());
  });
}

/** A service whose logger, telemetry and `/health` are there. */
interface Hosted extends ServiceOfProcess {
  readonly logger: Logger;
  readonly readiness: Readiness;
  /** Holds the service once it has started. */
  readonly stack: AsyncDisposableStack;
}

async function openHost(
  service: ServiceOfProcess,
  config: z.infer<typeof processConfigSchema>,
  stack: AsyncDisposableStack,
): Promise<Hosted> {
  const readiness = new Readiness();
  stack.use(
    await startTelemetry(service.name, service.env, {
      sampleRatio: config.TRACE_SAMPLE_RATIO,
      directory: config.TRACE_DIRECTORY,
    }),
  );
  stack.use(
    await startInternalServer({
      ...{ host: config.INTERNAL_HOST ?? config.HOST, port: config.INTERNAL_PORT },
      ...{ readiness, tls: config.INTERNAL_TLS_DIR },
    }),
  );
  return {
    ...service,
    readiness,
    logger: createLogger(service.name, config.LOG_LEVEL),
    stack: new AsyncDisposableStack(),
  };
}

/** Answers whether the service has started; why it has not is in its log. */
async function startHosted(
  { name, env, start, logger, readiness, stack }: Hosted,
  context: Pick<ServiceContext, 'signal' | 'neighbours'>,
): Promise<boolean> {
  try {
    stack.use(await start({ name, env, logger, readiness, ...context }));
    if (context.signal.aborted) return true;
    readiness.started();
    logger.info('ready');
    return true;
  } catch (error) {
    // What is wrong with the configurations of several services is reported of all of them, not of the first alone.
    if (error instanceof ConfigError) for (const problem of error.problems) logger.fatal(`config: ${problem}`);
    else if (context.signal.aborted) return true;
    else logger.fatal({ err: error }, 'could not start');
    return false;
  }
}

/** After an unexpected error the state of the process is unknown: it ends, and the supervisor starts a fresh one. */
function crash(logger: Logger, stop: (reason: string, exitCode: number) => Promise<void>, error: unknown): void {
  logger.fatal({ err: error }, 'unexpected error');
  void stop('unexpected error', 1);
}

function configOrExit({ name, env }: ServiceOfProcess): z.infer<typeof processConfigSchema> {
  try {
    return loadConfig(env, processConfigSchema);
  } catch (error) {
    createLogger(name, 'info').fatal(error instanceof Error ? error.message : 'configuration is not valid');
    process.exit(1);
  }
}
