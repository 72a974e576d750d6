import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { recordSpans } from '#src/telemetry/span.ts';

export interface TelemetryOptions {
  /** Share of the traces that is exported, from 0 to 1. Failed work is exported always. */
  readonly sampleRatio: number;
}

/**
 * Traces over OTLP/HTTP when `OTEL_EXPORTER_OTLP_ENDPOINT` is set; otherwise spans cost nothing.
 * The exporter reads the standard OTEL_* variables. Dispose flushes what is buffered.
 */
export async function startTelemetry(
  service: string,
  env: NodeJS.ProcessEnv,
  options: TelemetryOptions,
): Promise<AsyncDisposable> {
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  if (!env['OTEL_EXPORTER_OTLP_ENDPOINT']) return { [Symbol.asyncDispose]: () => Promise.resolve() };
  return await startExport(service, options);
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
  trace.setGlobalTracerProvider(provider);
  recordSpans(true);
  return {
    [Symbol.asyncDispose]: async () => {
      recordSpans(false);
      await Promise.allSettled([provider.shutdown()]);
    },
  };
}
