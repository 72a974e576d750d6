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
  type Tracer,
} from '@opentelemetry/api';
import { DomainError } from '@gateway/contracts/errors';
import { idAttributesOf, placeInTrace, recordTraceOf } from '#src/telemetry/record-ids.ts';
import { currentScope } from '#src/telemetry/service-scope.ts';
import { quotedRows, withoutRows } from '#src/telemetry/without-rows.ts';

/** Where nothing is recorded. */
const noTracer = trace.getTracer('gateway');

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
/** Whether a request from outside may begin a trace now; undefined where each is recorded, and so is every other work. */
let admitTrace: (() => boolean) | undefined;

/** Whether spans go anywhere. Until they do, none is made: one costs more than many a unit of work. */
export function isRecordingSpans(): boolean {
  return recording;
}

/**
 * To be called where their export is started or stopped.
 *
 * @param admit where traces begin with requests from outside alone, and not with each of them: asked once per request
 */
export function recordSpans(on: boolean, admit?: () => boolean): void {
  recording = on;
  admitTrace = admit;
}

/** Whether a request from outside begins a trace. */
export function beginsTrace(): boolean {
  return recording && (admitTrace?.() ?? true);
}

/** Spans name the service they are of. */
function tracer(): Tracer {
  return currentScope().tracer ?? noTracer;
}

/** What work is handed while nothing is recorded. */
const noSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** One span around one unit of work. A refusal is an ordinary outcome; anything else marks the span as failed. */
export function withSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  return recording ? withRecordedSpan(name, options, work) : work(noSpan);
}

async function withRecordedSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  if (admitTrace && !isPartOfTrace(options)) return await work(noSpan);
  const parent = parentOf(options);
  const { kind = SpanKind.INTERNAL, attributes = {}, linkedTo } = options;
  const span = tracer().startSpan(name, { kind, attributes, links: linkedTo ? linksTo(linkedTo) : [] }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span));
  } catch (error) {
    markFailure(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Looked at before anything is made for a span: of most work under load no trace was begun. */
function isPartOfTrace({ parent, linkedTo }: SpanOptions): boolean {
  return (
    linkedTo !== undefined || parent?.['traceparent'] !== undefined || trace.getSpan(context.active()) !== undefined
  );
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
  if (!recording || !trace.getSpan(context.active())) return noTrace;
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier;
}

/** W3C id of the active trace, for a record that says which call made it; null when nothing is being traced. */
export function currentTraceId(): string | null {
  return recording ? (trace.getSpan(context.active())?.spanContext().traceId ?? null) : null;
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
  tracer().startSpan(name, options, contextOf(parent)).end();
}

/**
 * Says what the active span is about: the ids in the given messages become its attributes. Where one is of a deposit, a
 * payout or a conversion, the span is also linked with the trace of that record, which has the same bits as its id: there a
 * short span of the same name points back. So the traces of one record, which begin with calls of their own, are found from
 * one place in whichever viewer they are sent to.
 */
export function spanIsAbout(name: string, ...messages: readonly unknown[]): void {
  const span = recording ? trace.getSpan(context.active()) : undefined;
  if (!span?.isRecording()) return;
  const attributes = idAttributesOf(...messages);
  span.setAttributes(attributes);
  const record = recordTraceOf(attributes);
  if (record === undefined) return;
  const place = placeInTrace(record);
  span.addLink({ context: place });
  const links = [{ context: span.spanContext() }];
  tracer().startSpan(name, { attributes, links }, trace.setSpanContext(context.active(), place)).end();
}

/** As `spanIsAbout`, without the link: for spans below one that has it. */
export function nameIds(span: Span, ...messages: readonly unknown[]): void {
  if (span.isRecording()) span.setAttributes(idAttributesOf(...messages));
}
