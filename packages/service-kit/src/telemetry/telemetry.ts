import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { recordSpans } from '#src/telemetry/span.ts';

/**
 * Traces and metrics over OTLP/HTTP when `OTEL_EXPORTER_OTLP_ENDPOINT` is set; otherwise spans cost nothing.
 * Exporters read the standard OTEL_* variables. Dispose flushes what is buffered.
 */
export async function startTelemetry(service: string, env: NodeJS.ProcessEnv): Promise<AsyncDisposable> {
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  if (!env['OTEL_EXPORTER_OTLP_ENDPOINT']) return { [Symbol.asyncDispose]: () => Promise.resolve() };
  return await startExport(service);
}

/** The SDK is loaded only when it is used: it costs memory in every process. */
async function startExport(service: string): Promise<AsyncDisposable> {
  const [{ BatchSpanProcessor, TracerProvider }, { OTLPTraceExporter }, sdkMetrics, { OTLPMetricExporter }, res] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/sdk-metrics'),
      import('@opentelemetry/exporter-metrics-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const resource = res.resourceFromAttributes({ 'service.name': service, 'service.namespace': 'gateway' });
  const tracerProvider = new TracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: 500 })],
  });
  trace.setGlobalTracerProvider(tracerProvider);
  recordSpans(true);
  const meterProvider = new sdkMetrics.MeterProvider({
    resource,
    readers: [new sdkMetrics.PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() })],
  });
  metrics.setGlobalMeterProvider(meterProvider);
  return {
    [Symbol.asyncDispose]: async () => {
      recordSpans(false);
      await Promise.allSettled([tracerProvider.shutdown(), meterProvider.shutdown()]);
    },
  };
}
