import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '@gateway/test-kit';
import { newDeposit, newMerchant, paid, publishDeposit } from './support/events.ts';
import { Receiver } from './support/receiver.ts';
import { createHarness, type Harness, ServiceProcess } from './support/harness.ts';

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
}

interface ExportedTraces {
  readonly resourceSpans?: { scopeSpans: { spans: Span[] }[] }[];
}

let webhooks: Harness;
beforeAll(async () => {
  webhooks = await createHarness();
});
afterAll(async () => webhooks[Symbol.asyncDispose]());

/** What a collector received. */
function spansOf(collector: Receiver): readonly Span[] {
  return collector.received
    .map(({ body }) => JSON.parse(body.toString()) as ExportedTraces)
    .flatMap(({ resourceSpans = [] }) => resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans);
}

test('intake and delivery continue the trace of the event', async () => {
  await using collector = await Receiver.start((response) => response.writeHead(200).end('{}'));
  await using receiver = await Receiver.start();
  await using service = new ServiceProcess({
    ...webhooks.env,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
  });
  expect(service.child.pid).toBeDefined();
  const merchant = newMerchant();
  await eventually(() => webhooks.register(merchant, receiver.url));
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const parentId = 'b7ad6b7169203331';
  await publishDeposit(webhooks.bus, paid(newDeposit(merchant)), {
    trace: { traceparent: `00-${traceId}-${parentId}-01` },
  });
  await eventually(() => {
    const ofTrace = spansOf(collector).filter((span) => span.traceId === traceId);
    const intake = ofTrace.find(({ name }) => name === 'webhooks intake');
    const delivery = ofTrace.find(({ name }) => name === 'webhook delivery');
    expect(intake?.parentSpanId).toBe(parentId);
    expect(delivery?.parentSpanId).toBe(intake?.spanId);
  });
});
