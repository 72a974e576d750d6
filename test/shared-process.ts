import { Counter, register } from 'prom-client';

/*
 * Loaded before each file of a worker that runs several: what a test finds counted was counted in its own file, as in a
 * process of its own. What a service has counted from its start on stays a zero.
 */
const metrics: readonly unknown[] = register.getMetricsAsArray();
const counters = metrics.filter((metric) => metric instanceof Counter);
const counted = await Promise.all(counters.map(async (counter) => ({ counter, ...(await counter.get()) })));
register.resetMetrics();
for (const { counter, values } of counted) for (const { labels } of values) counter.inc(labels, 0);
