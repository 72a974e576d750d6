import { context, propagation } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { FileTracer } from '#src/telemetry/file-spans.ts';
import { currentScope } from '#src/telemetry/service-scope.ts';
import { recordSpans } from '#src/telemetry/span.ts';
import { TraceDirectory } from '#src/telemetry/trace-directory.ts';

export interface TelemetryOptions {
  /** Share of the traces that is exported, from 0 to 1. Failed work is exported always. */
  readonly sampleRatio: number;
  /** Where spans are kept in files when they are not exported. */
  readonly directory?: string | undefined;
}

/**
 * Traces of the current service over OTLP/HTTP when `OTEL_EXPORTER_OTLP_ENDPOINT` is set, else into files where a
 * directory is named for them; otherwise spans cost nothing.
 * The exporter reads the standard OTEL_* variables. Dispose flushes what is buffered.
 */
export async function startTelemetry(
  service: string,
  env: NodeJS.ProcessEnv,
  options: TelemetryOptions,
): Promise<AsyncDisposable> {
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  if (env['OTEL_EXPORTER_OTLP_ENDPOINT']) return await startExport(service, options);
  if (options.directory !== undefined) return startFile(service, options.directory);
  return { [Symbol.asyncDispose]: () => Promise.resolve() };
}

/**
 * Traces that are begun per second where they are kept in files: what a person does is kept, with the scripts of a page or
 * two, of a load a sample.
 */
const fileTracesPerSecond = 10;
const fileTracesBurst = 500;

function startFile(service: string, directory: string): AsyncDisposable {
  const files = new TraceDirectory(directory, service);
  currentScope().tracer = new FileTracer(service, files.write);
  const budget = new TraceBudget(fileTracesPerSecond, fileTracesBurst);
  recordSpans(true, () => budget.take(performance.now()));
  return {
    [Symbol.asyncDispose]: async () => {
      recordSpans(false);
      await files[Symbol.asyncDispose]();
    },
  };
}

/** How many traces may be begun: some at once, and then so many in a second. */
class TraceBudget {
  readonly #perSecond: number;
  readonly #burst: number;
  #left: number;
  #atMs = 0;

  constructor(perSecond: number, burst: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#left = burst;
  }

  take(nowMs: number): boolean {
    this.#left = Math.min(this.#burst, this.#left + ((nowMs - this.#atMs) * this.#perSecond) / 1_000);
    this.#atMs = nowMs;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}

/** The SDK is loaded only when it is used: it costs memory in every process. */
async function startExport(service: string, { sampleRatio }: TelemetryOptions): Promise<AsyncDisposable> {
  const [{ BatchSpanProcessor, TracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }, sampling] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('#src/telemetry/failures-always.ts'),
    ]);
  const exporting = new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: 500 });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'gateway' }),
    sampler: sampling.recordAll(sampleRatio),
    spanProcessors: [new sampling.FailuresAlways(exporting)],
  });
  currentScope().tracer = provider.getTracer('gateway');
  recordSpans(true);
  return {
    [Symbol.asyncDispose]: async () => {
      recordSpans(false);
      await Promise.allSettled([provider.shutdown()]);
    },
  };
}
