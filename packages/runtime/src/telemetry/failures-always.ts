import { SpanStatusCode, TraceFlags, type Context, type SpanContext } from '@opentelemetry/api';
import {
  createAlwaysRecordSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type ReadableSpan,
  type Sampler,
  type Span,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace';

/**
 * Chooses by trace id, so that all services keep the same traces, and follows the caller's choice. The others are
 * recorded too: whether they failed is only known at their end.
 */
export function recordAll(sampleRatio: number): Sampler {
  return createAlwaysRecordSampler(new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }));
}

/** Hands on the spans of chosen traces, and of all others those that failed. */
export class FailuresAlways implements SpanProcessor {
  readonly #next: SpanProcessor;

  constructor(next: SpanProcessor) {
    this.#next = next;
  }

  onStart(span: Span, parent: Context): void {
    this.#next.onStart(span, parent);
  }

  onEnd(span: ReadableSpan): void {
    if (isChosen(span.spanContext())) this.#next.onEnd(span);
    else if (span.status.code === SpanStatusCode.ERROR) this.#next.onEnd(chosen(span));
  }

  async forceFlush(): Promise<void> {
    await this.#next.forceFlush();
  }

  async shutdown(): Promise<void> {
    await this.#next.shutdown();
  }
}

function isChosen({ traceFlags }: SpanContext): boolean {
  return (traceFlags & TraceFlags.SAMPLED) !== 0;
}

/** The same span as if its trace had been chosen. */
function chosen(span: ReadableSpan): ReadableSpan {
  const spanContext = { ...span.spanContext(), traceFlags: span.spanContext().traceFlags | TraceFlags.SAMPLED };
  return new Proxy(span, {
    get: (target, member) =>
      member === 'spanContext' ? () => spanContext : (Reflect.get(target, member, target) as unknown),
  });
}
