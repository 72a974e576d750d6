import * as prometheus from 'prom-client';
import { currentScope, type Observed, type ServiceScope } from '#src/telemetry/service-scope.ts';

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
 * of a module; Prometheus reads them at `/metrics` of the service's internal port.
 */
export function counter<const Name extends string = never>(
  name: string,
  help: string,
  labelNames: readonly Name[] = [],
): Counter<Name> {
  const instrument = ofEachService(
    (registers) => new prometheus.Counter({ name, help, labelNames: [...labelNames], registers }),
  );
  return { add: (value, ...[labels = {}]) => instrument().inc(labels, value) };
}

/** Of seconds, unless buckets are given. */
export function histogram<const Name extends string = never>(
  name: string,
  help: string,
  labelNames: readonly Name[] = [],
  buckets: readonly number[] = secondsBuckets,
): Histogram<Name> {
  const instrument = ofEachService(
    (registers) =>
      new prometheus.Histogram({ name, help, labelNames: [...labelNames], buckets: [...buckets], registers }),
  );
  return { record: (value, ...[labels = {}]) => instrument().observe(labels, value) };
}

/** A value that is set whenever it is known. */
export function level<const Name extends string = never>(
  name: string,
  help: string,
  labelNames: readonly Name[] = [],
): Level<Name> {
  const instrument = ofEachService(
    (registers) => new prometheus.Gauge({ name, help, labelNames: [...labelNames], registers }),
  );
  return { set: (value, ...[labels = {}]) => instrument().set(labels, value), reset: () => instrument().reset() };
}

/**
 * One instrument for each service that uses it: the services of one process share modules, and each has a page of its own
 * at `/metrics`. It is made for the service whose module declares it, and for others of the process at their first use.
 */
function ofEachService<Instrument extends prometheus.Metric>(
  make: (registers: prometheus.Registry[]) => Instrument,
): () => Instrument {
  const made = new WeakMap<ServiceScope, Instrument>();
  const ofThis = (): Instrument => {
    const scope = currentScope();
    const known = made.get(scope);
    if (known) return known;
    const instrument = make([scope.registry]);
    made.set(scope, instrument);
    return instrument;
  };
  ofThis();
  return ofThis;
}

/**
 * A value that is read when Prometheus asks, until disposed; of two owners of the same labels the later one is read.
 */
export function gauge(name: string, help: string, observe: () => number, labels: Labels = {}): Disposable {
  const { gauges, registry } = currentScope();
  const values = gauges.get(name) ?? new Map<string, Observed>();
  if (!gauges.has(name)) {
    gauges.set(name, values);
    new prometheus.Gauge({
      name,
      help,
      labelNames: Object.keys(labels),
      registers: [registry],
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

/** The process itself, on the page of the current service: memory, processor, event loop, garbage collection. */
export function observeProcess(): void {
  const { registry } = currentScope();
  prometheus.collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: eventLoopLookMs });
}

/** Every metric of the current service in Prometheus's text format. */
export async function metricsText(): Promise<{ readonly contentType: string; readonly text: string }> {
  const { registry } = currentScope();
  return { contentType: registry.contentType, text: await registry.metrics() };
}
