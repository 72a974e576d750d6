import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { FileTracer, type StoredSpan } from '#src/telemetry/file-spans.ts';
import { TraceDirectory } from '#src/telemetry/trace-directory.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'traces-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('a service keeps its latest spans in two files of a limited size, however many it writes', async () => {
  for (let run = 0; run < 30; run++) {
    await using files = new TraceDirectory(directory, 'deposits', 1_000);
    for (let line = 0; line < 5; line++) files.write(`${String(run * 5 + line).padStart(99, '0')}\n`);
  }
  expect(readdirSync(directory).sort()).toEqual(['deposits.1.jsonl', 'deposits.jsonl']);
  const sizes = readdirSync(directory).map((name) => statSync(join(directory, name)).size);
  for (const size of sizes) expect(size).toBeLessThanOrEqual(1_000 + 500);
  expect(readFileSync(join(directory, 'deposits.jsonl'), 'utf8').trimEnd().split('\n').at(-1)).toMatch(/149$/);
});

test('what does not fit in memory while the disk is slow is dropped, and the rest is written', async () => {
  const line = `${'x'.repeat(99_999)}\n`;
  {
    await using files = new TraceDirectory(directory, 'ledger');
    for (let count = 0; count < 50; count++) files.write(line);
  }
  expect(statSync(join(directory, 'ledger.jsonl')).size).toBe(10 * line.length);
});

test('a directory that was removed costs the spans, and not the work they are about', async () => {
  const removed = join(directory, 'removed');
  const files = new TraceDirectory(removed, 'ledger', 1);
  files.write('to a file that is full\n');
  await files[Symbol.asyncDispose]();
  const again = new TraceDirectory(removed, 'ledger', 1);
  rmSync(removed, { recursive: true });
  again.write('to a file that is gone\n');
  await expect(again[Symbol.asyncDispose]()).resolves.toBeUndefined();
});

test('a span is a line with its place in the trace, its ids and its failure', () => {
  const lines: string[] = [];
  const tracer = new FileTracer('payouts', (line) => lines.push(line));
  const parent = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 };
  const root = tracer.startSpan('root');
  const child = tracer.startSpan('child', { kind: SpanKind.SERVER }, trace.setSpanContext(ROOT_CONTEXT, parent));
  child.setAttribute('gateway.payout_id', 'pyt_1').addLink({ context: root.spanContext() }).updateName('renamed');
  child.recordException(new Error('the bank is closed'));
  child.setStatus({ code: SpanStatusCode.ERROR });
  child.end();
  child.end();
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '') as StoredSpan).toMatchObject({
    ...{ service: 'payouts', name: 'renamed', kind: 'server', trace: parent.traceId, parent: parent.spanId },
    ...{ attributes: { 'gateway.payout_id': 'pyt_1' }, links: [root.spanContext().traceId] },
    failure: 'the bank is closed',
  });
});
