import type { BusOptions } from '#src/bus/bus.ts';

/** How a service reaches the broker, by what it has read from its environment. */
export function busSettings(config: {
  readonly NATS_URL: string;
  readonly STREAM_REPLICAS: number;
}): Pick<BusOptions, 'url' | 'streamReplicas'> {
  return { url: config.NATS_URL, streamReplicas: config.STREAM_REPLICAS };
}
