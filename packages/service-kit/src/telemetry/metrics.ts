import { metrics, type Attributes, type Meter } from '@opentelemetry/api';

export interface Counter {
  add(value: number, attributes?: Attributes): void;
}

export interface Histogram {
  record(value: number, attributes?: Attributes): void;
}

/**
 * Instruments are made at their first use: those of a module are declared before telemetry starts, and the
 * metrics API hands out instruments that record nothing until then.
 *
 * Names are `gateway_<what>_<unit>`; attributes never carry ids, which would make a series each.
 */
export function counter(name: string, description: string): Counter {
  let instrument: Counter | undefined;
  return {
    add: (value, attributes) => (instrument ??= meter().createCounter(name, { description })).add(value, attributes),
  };
}

export function histogram(name: string, description: string, unit: string): Histogram {
  let instrument: Histogram | undefined;
  return {
    record: (value, attributes) =>
      (instrument ??= meter().createHistogram(name, { description, unit })).record(value, attributes),
  };
}

/** A value that is read when metrics are collected; to be declared by a service that has started. */
export function gauge(name: string, description: string, observe: () => number): void {
  meter()
    .createObservableGauge(name, { description })
    .addCallback((result) => result.observe(observe()));
}

function meter(): Meter {
  return metrics.getMeter('gateway');
}
