import type { InternalTls } from '@gateway/runtime';
import type { BusOptions } from '#src/bus/bus.ts';

/** How a service reaches the broker, by what it has read from its environment. */
export function busSettings(config: {
  readonly NATS_URL: string;
  readonly STREAM_REPLICAS: number;
  readonly INTERNAL_TLS_DIR?: InternalTls | undefined;
  readonly NATS_TLS_FIRST: boolean;
}): Pick<BusOptions, 'url' | 'streamReplicas' | 'tls'> {
  const { NATS_URL: url, STREAM_REPLICAS: streamReplicas, INTERNAL_TLS_DIR: tls, NATS_TLS_FIRST: first } = config;
  return { url, streamReplicas, tls: tls && { ca: tls.ca, first } };
}
