import type { InternalTls } from '@gateway/runtime';
import type { BusOptions } from '#src/bus/bus.ts';

/** What a service has read from its environment about the broker. */
export interface BusConfig {
  readonly NATS_URL: string;
  readonly STREAM_REPLICAS: number;
  readonly INTERNAL_TLS_DIR?: InternalTls | undefined;
  readonly NATS_TLS_FIRST: boolean;
}

/** How a service reaches the broker. */
export function busSettings(config: BusConfig): Pick<BusOptions, 'url' | 'streamReplicas' | 'tls'> {
  const { NATS_URL: url, STREAM_REPLICAS: streamReplicas, INTERNAL_TLS_DIR: tls, NATS_TLS_FIRST: first } = config;
  return { url, streamReplicas, tls: tls && { ca: tls.ca, first } };
}
