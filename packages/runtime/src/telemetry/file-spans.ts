import { randomBytes } from 'node:crypto';
import {
  type AnyValue,
  type Attributes,
  type Context,
  type Exception,
  INVALID_SPAN_CONTEXT,
  type Link,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  type SpanStatus,
  SpanStatusCode,
  type TimeInput,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';

/** One line of a file of spans. */
export interface StoredSpan {
  readonly service: string;
  readonly trace: string;
  readonly span: string;
  readonly parent: string | null;
  readonly name: string;
  readonly kind: string;
  /** Unix milliseconds. */
  readonly start: number;
  readonly ms: number;
  readonly attributes: Attributes;
  readonly links: readonly string[];
  readonly failure: string | null;
}

/**
 * Spans for a developer's machine, each written as one line when it ends. The parts of OpenTelemetry's SDK that choose,
 * batch and export are not loaded: they cost every process memory, and a span costs more of its time with them.
 */
export class FileTracer implements Tracer {
  readonly #service: string;
  readonly #write: (line: string) => void;

  constructor(service: string, write: (line: string) => void) {
    this.#service = service;
    this.#write = write;
  }

  startSpan(name: string, options: SpanOptions = {}, parentContext?: Context): Span {
    const parent = parentContext && trace.getSpanContext(parentContext);
    return new FileSpan(name, options, parent, (span) =>
      this.#write(`${JSON.stringify({ service: this.#service, ...span })}\n`),
    );
  }

  /** The gateway begins its spans by `startSpan` alone. */
  startActiveSpan(): never {
    throw new Error('spans are begun by startSpan');
  }
}

class FileSpan implements Span {
  readonly #context: SpanContext;
  readonly #parent: SpanContext | undefined;
  readonly #kind: SpanKind;
  readonly #startedAtMs: number;
  readonly #end: (span: Omit<StoredSpan, 'service'>) => void;
  readonly #attributes: Attributes;
  readonly #links: Link[];
  #name: string;
  #failure: string | null = null;
  #isEnded = false;

  constructor(
    name: string,
    { kind = SpanKind.INTERNAL, attributes = {}, links = [], startTime }: SpanOptions,
    parent: SpanContext | undefined,
    end: (span: Omit<StoredSpan, 'service'>) => void,
  ) {
    const traceId = parent?.traceId ?? randomBytes(16).toString('hex');
    this.#context = { traceId, spanId: randomBytes(8).toString('hex'), traceFlags: TraceFlags.SAMPLED };
    this.#name = name;
    this.#kind = kind;
    this.#parent = parent;
    this.#attributes = { ...attributes };
    this.#links = [...links];
    this.#startedAtMs = typeof startTime === 'number' ? startTime : nowMs();
    this.#end = end;
  }

  spanContext(): SpanContext {
    return this.#context;
  }

  setAttribute(key: string, value: AnyValue): this {
    this.#attributes[key] = value;
    return this;
  }

  setAttributes(attributes: Attributes): this {
    Object.assign(this.#attributes, attributes);
    return this;
  }

  addEvent(): this {
    return this;
  }

  addLink(link: Link): this {
    this.#links.push(link);
    return this;
  }

  addLinks(links: Link[]): this {
    this.#links.push(...links);
    return this;
  }

  setStatus({ code, message }: SpanStatus): this {
    if (code === SpanStatusCode.ERROR) this.#failure ??= message ?? 'failed';
    return this;
  }

  updateName(name: string): this {
    this.#name = name;
    return this;
  }

  end(endTime?: TimeInput): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const endedAtMs = typeof endTime === 'number' ? endTime : nowMs();
    this.#end({
      trace: this.#context.traceId,
      span: this.#context.spanId,
      parent: this.#parent?.spanId ?? null,
      name: this.#name,
      kind: SpanKind[this.#kind].toLowerCase(),
      start: Math.round(this.#startedAtMs * 1_000) / 1_000,
      ms: Math.round((endedAtMs - this.#startedAtMs) * 1_000) / 1_000,
      attributes: this.#attributes,
      links: this.#links.map(({ context: { traceId } }) => traceId).filter((id) => id !== INVALID_SPAN_CONTEXT.traceId),
      failure: this.#failure,
    });
  }

  isRecording(): boolean {
    return !this.#isEnded;
  }

  recordException(exception: Exception): void {
    this.#failure = typeof exception === 'string' ? exception : (exception.message ?? 'failed');
  }
}

function nowMs(): number {
  return performance.timeOrigin + performance.now();
}
