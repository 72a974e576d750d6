import {
  context,
  INVALID_SPAN_CONTEXT,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Link,
  type Span,
} from '@opentelemetry/api';
import { DomainError } from '@gateway/contracts/errors';
import { quotedRows, withoutRows } from '#src/telemetry/without-rows.ts';

const tracer = trace.getTracer('gateway');

export { SpanKind } from '@opentelemetry/api';

export interface SpanOptions {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** Continues the trace of this carrier instead of the active one. */
  readonly parent?: TraceCarrier;
  /**
   * Begins a trace of its own that names this carrier: for callers who are not ours, whose trace ids and flags would
   * else decide what is exported.
   */
  readonly linkedTo?: TraceCarrier;
}

/** W3C trace context in text, as it travels in NATS headers and outbox rows. */
export type TraceCarrier = Readonly<Record<string, string>>;

let recording = false;

/** Whether spans go anywhere. Until they do, none is made: one costs more than many a unit of work. */
export function isRecordingSpans(): boolean {
  return recording;
}

/** To be called where their export is started or stopped. */
export function recordSpans(on: boolean): void {
  recording = on;
}

/** What work is handed while nothing is recorded. */
const noSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** One span around one unit of work. A refusal is an ordinary outcome; anything else marks the span as failed. */
export function withSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  return recording ? withRecordedSpan(name, options, work) : work(noSpan);
}

async function withRecordedSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  const parent = parentOf(options);
  const { kind = SpanKind.INTERNAL, attributes = {}, linkedTo } = options;
  const span = tracer.startSpan(name, { kind, attributes, links: linkedTo ? linksTo(linkedTo) : [] }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span));
  } catch (error) {
    markFailure(span, error);
    throw error;
  } finally {
    span.end();
  }
}

function parentOf({ parent, linkedTo }: SpanOptions): Context {
  if (linkedTo) return trace.deleteSpan(context.active());
  return parent ? contextOf(parent) : context.active();
}

function linksTo(carrier: TraceCarrier): Link[] {
  const linked = trace.getSpanContext(contextOf(carrier));
  return linked ? [{ context: linked }] : [];
}

function markFailure(span: Span, error: unknown): void {
  if (error instanceof DomainError) {
    span.setAttribute('gateway.refusal', error.code);
    return;
  }
  span.recordException(error instanceof Error ? exceptionOf(error) : String(error));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function exceptionOf(error: Error) {
  const rows = quotedRows(error);
  if (rows.length === 0) return error;
  const { name, message, stack = '' } = error;
  return { name, message: withoutRows(message, rows), stack: withoutRows(stack, rows) };
}

const noTrace: TraceCarrier = {};

/** The active trace context, to be stored or sent along. Empty when nothing is being traced. */
export function currentTrace(): TraceCarrier {
  if (!recording) return noTrace;
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier;
}

function contextOf(carrier: TraceCarrier): Context {
  return propagation.extract(context.active(), carrier);
}

export interface FinishedSpan {
  readonly parent: TraceCarrier;
  /** Unix milliseconds. */
  readonly startedAtMs: number;
  readonly attributes?: Attributes;
}

/** A span for work that is done already, where many units of work were carried out as one. */
export function recordSpan(name: string, { parent, startedAtMs, attributes = {} }: FinishedSpan): void {
  if (!recording) return;
  const options = { kind: SpanKind.CONSUMER, attributes, startTime: startedAtMs };
  tracer.startSpan(name, options, contextOf(parent)).end();
}
