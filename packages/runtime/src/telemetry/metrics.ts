import * as prometheus from 'prom-client';

export type Labels = Readonly<Record<string, string | number>>;

/** Exactly the labels an instrument was declared with: another one is an error where it is counted, amid the work. */
type LabelsOf<Name extends string> = [Name] extends [never] ? [] : [labels: Readonly<Record<Name, string | number>>];

export interface Counter<Name extends string = never> {
  add(value: number, ...labels: LabelsOf<Name>): void;
}

export interface Histogram<Name extends string = never> {
  record(value: number, ...labels: LabelsOf<Name>): void;
}

export interface Level<Name extends string = never> {
  set(value: number, ...labels: LabelsOf<Name>): void;
  /** Removes every value: what is not set again is no longer exported. */
  reset(): void;
}

/** From a cache hit to the longest deadline, in seconds. */
const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Names are `gateway_<what>_<unit>`; labels never carry ids, which would make a series each. Declared once, at the top
 * of a module; Prometheus reads them at `/metrics` of the internal port.
 */
export function counter<const Name extends string = never>(
  name: string,
  help: string,
  labelNames: readonly Name[] = [],
): Counter<Name> {
  const instrument = new prometheus.Counter({ name, help, labelNames: [...labelNames] });
  return { add: (value, ...[labels = {}]) => instrument.inc(labels, value) };
}

/** Of seconds, unless buckets are given. */
export function histogram<const Name extends string = never>(
  name: string,
  help: string,
  labelNames: readonly Name[] = [],
  buckets: readonly number[] = secondsBuckets,
): Histogram<Name> {
  const instrument = new prometheus.Histogram({ name, help, labelNames: [...labelNames], buckets: [...buckets] });
  return { record: (value, ...[labels = {}]) => instrument.observe(labels, value) };
}

/** A value that is set whenever it is known. */
export function level<const Name extends string = never>(
  name: string,
  help: string,
  labelNames: readonly Name[] = [],
): Level<Name> {
  const instrument = new prometheus.Gauge({ name, help, labelNames: [...labelNames] });
  return { set: (value, ...[labels = {}]) => instrument.set(labels, value), reset: () => instrument.reset() };
}

/** What a gauge reads, while its owner lives. */
const observed = new Map<string, Map<string, { readonly labels: Labels; readonly observe: () => number }>>();

/**
 * A value that is read when Prometheus asks, until disposed; of two owners of the same labels the later one is read.
 */
export function gauge(name: string, help: string, observe: () => number, labels: Labels = {}): Disposable {
  const values = observed.get(name) ?? new Map<string, { readonly labels: Labels; readonly observe: () => number }>();
  if (!observed.has(name)) {
    observed.set(name, values);
    new prometheus.Gauge({
      name,
      help,
      labelNames: Object.keys(labels),
      collect() {
        this.reset();
        for (const value of values.values()) this.set(value.labels, value.observe());
      },
    });
  }
  const key = JSON.stringify(labels);
  const entry = { labels, observe };
  values.set(key, entry);
  return { [Symbol.dispose]: () => void (values.get(key) === entry && values.delete(key)) };
}

/**
 * Between two looks at the event loop's lag. Each look is a timer that wakes the process: at the library's 10 ms, those
 * of an idle service took more of the processor than its work. The alert is about half a second.
 */
const eventLoopLookMs = 200;

/** The process itself: memory, processor, event loop, garbage collection. */
export function observeProcess(): void {
  prometheus.collectDefaultMetrics({ eventLoopMonitoringPrecision: eventLoopLookMs });
}

/** Every metric in Prometheus's text format. */
export async function metricsText(): Promise<{ readonly contentType: string; readonly text: string }> {
  return { contentType: prometheus.register.contentType, text: await prometheus.register.metrics() };
}
