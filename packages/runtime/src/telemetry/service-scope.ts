import { AsyncLocalStorage } from 'node:async_hooks';
import type { Tracer } from '@opentelemetry/api';
import { Registry, register } from 'prom-client';

export interface Observed {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly observe: () => number;
}

/** Where the metrics and spans of one service go. */
export class ServiceScope {
  readonly registry: Registry;
  /** What its gauges read, by name and labels, while their owners live. */
  readonly gauges = new Map<string, Map<string, Observed>>();
  /** Undefined: the tracer of the process. */
  tracer: Tracer | undefined;

  constructor(registry = new Registry()) {
    this.registry = registry;
  }

  /** Does work of the service: what it begins, a timer or a listener as well, belongs to the service too. */
  run<T>(work: () => T): T {
    return scopes.run(this, work);
  }
}

const scopes = new AsyncLocalStorage<ServiceScope>();
/** Of a process that is one service. */
export const processScope = new ServiceScope(register);

/** The scope of the service whose work this is. */
export function currentScope(): ServiceScope {
  return scopes.getStore() ?? processScope;
}
