import {
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api';
import { DomainError } from '@gateway/contracts';

const tracer = trace.getTracer('gateway');

export { SpanKind } from '@opentelemetry/api';

export interface SpanOptions {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** Continues the trace of this carrier instead of the active one. */
  readonly parent?: TraceCarrier;
}

/** W3C trace context in text, as it travels in NATS headers and outbox rows. */
export type TraceCarrier = Readonly<Record<string, string>>;

/** One span around one unit of work. A refusal is an ordinary outcome; anything else marks the span as failed. */
export async function withSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  const parent = options.parent ? contextOf(options.parent) : context.active();
  const span = tracer.startSpan(
    name,
    { kind: options.kind ?? SpanKind.INTERNAL, attributes: options.attributes ?? {} },
    parent,
  );
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span));
  } catch (error) {
    markFailure(span, error);
    throw error;
  } finally {
    span.end();
  }
}

function markFailure(span: Span, error: unknown): void {
  if (error instanceof DomainError) {
    span.setAttribute('gateway.refusal', error.code);
    return;
  }
  span.recordException(error instanceof Error ? error : String(error));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The active trace context, to be stored or sent along. Empty when nothing is being traced. */
export function currentTrace(): TraceCarrier {
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
  const options = { kind: SpanKind.CONSUMER, attributes, startTime: startedAtMs };
  tracer.startSpan(name, options, contextOf(parent)).end();
}
