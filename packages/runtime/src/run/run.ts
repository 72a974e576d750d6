import { z } from 'zod';
import { observeProcess } from '#src/telemetry/metrics.ts';
import { startTelemetry } from '#src/telemetry/telemetry.ts';
import { Readiness } from '#src/http/readiness.ts';
import { startInternalServer } from '#src/http/internal-server.ts';
import { giveBackMemory, giveBackMemoryAtRest } from '#src/run/give-back-memory.ts';
import { ConfigError, loadConfig, portSchema } from '#src/run/load-config.ts';
import { internalTlsShape } from '#src/secrets/internal-tls.ts';
import { createLogger, type Logger } from '#src/telemetry/logger.ts';

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

/**
 * The life of one service process: logger, telemetry and `/health` first, then the service, until SIGTERM or SIGINT;
 * then everything ends in reverse order, within ten seconds. `/ready` is 503 until `start` has resolved.
 */
export async function run(name: string, start: (context: ServiceContext) => Promise<AsyncDisposable>): Promise<void> {
  const config = configOrExit(name);
  const logger = createLogger(name, config.LOG_LEVEL);
  const stopping = new AbortController();
  const readiness = new Readiness();
  const stack = new AsyncDisposableStack();
  stack.use(
    await startTelemetry(name, process.env, {
      sampleRatio: config.TRACE_SAMPLE_RATIO,
      directory: config.TRACE_DIRECTORY,
    }),
  );
  observeProcess();
  stack.use(
    await startInternalServer({
      ...{ host: config.INTERNAL_HOST ?? config.HOST, port: config.INTERNAL_PORT },
      ...{ readiness, tls: config.INTERNAL_TLS_DIR },
    }),
  );

  const stop = async (reason: string, exitCode: number): Promise<void> => {
    if (stopping.signal.aborted) return;
    stopping.abort(new Error(reason));
    readiness.stopping();
    logger.info({ reason }, 'stopping');
    setTimeout(() => process.exit(1), shutdownTimeoutMs).unref();
    await stack.disposeAsync().catch((error: unknown) => logger.error({ err: error }, 'stopping failed'));
    process.exit(exitCode);
  };
  process.on('SIGTERM', () => void stop('SIGTERM', 0));
  process.on('SIGINT', () => void stop('SIGINT', 0));
  process.on('uncaughtException', (error) => crash(logger, stop, error));
  process.on('unhandledRejection', (reason) => crash(logger, stop, reason));

  try {
    stack.use(await start({ name, env: process.env, logger, readiness, signal: stopping.signal }));
    if (stopping.signal.aborted) return;
    readiness.started();
    logger.info('ready');
    setImmediate(() => {
      giveBackMemory();
      stack.use(giveBackMemoryAtRest());
    });
  } catch (error) {
    if (stopping.signal.aborted) return;
    if (error instanceof ConfigError) for (const problem of error.problems) logger.fatal(`config: ${problem}`);
    else logger.fatal({ err: error }, 'could not start');
    await stop('could not start', 1);
  }
}

/** After an unexpected error the state of the process is unknown: it ends, and the supervisor starts a fresh one. */
function crash(logger: Logger, stop: (reason: string, exitCode: number) => Promise<void>, error: unknown): void {
  logger.fatal({ err: error }, 'unexpected error');
  void stop('unexpected error', 1);
}

function configOrExit(name: string): z.infer<typeof processConfigSchema> {
  try {
    return loadConfig(process.env, processConfigSchema);
  } catch (error) {
    createLogger(name, 'info').fatal(error instanceof Error ? error.message : 'configuration is not valid');
    process.exit(1);
  }
}
