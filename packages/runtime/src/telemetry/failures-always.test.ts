import { context, SpanStatusCode } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { expect, test } from 'vitest';
import { FailuresAlways, recordAll } from '#src/telemetry/failures-always.ts';

function exportedOf(sampleRatio: number): string[] {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({
    sampler: recordAll(sampleRatio),
    spanProcessors: [new FailuresAlways(new SimpleSpanProcessor({ exporter }))],
  });
  const tracer = provider.getTracer('test');
  tracer.startSpan('good', {}, context.active()).end();
  const failing = tracer.startSpan('bad', {}, context.active());
  failing.setStatus({ code: SpanStatusCode.ERROR });
  failing.end();
  return exporter.getFinishedSpans().map(({ name }) => name);
}

test('work that failed is exported, however few traces are kept', () => {
  expect(exportedOf(0)).toEqual(['bad']);
});

test('with a ratio of one everything is exported', () => {
  expect(exportedOf(1)).toEqual(['good', 'bad']);
});
