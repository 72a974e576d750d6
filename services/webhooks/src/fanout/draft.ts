import type { TraceCarrier } from '@gateway/service-kit';
import type { PublicEvent } from '#src/fanout/public-event.ts';
import type { Sending } from '#src/queue/claim.ts';

export interface ReceivedEvent {
  readonly event: PublicEvent;
  /** Deliveries continue this trace. */
  readonly trace: TraceCarrier;
}

/** A delivery that is new unless its endpoint has been given it before. */
export interface Draft extends ReceivedEvent {
  readonly endpointId: string;
  readonly format: string;
  /** As it is stored. */
  readonly body: Buffer;
  /** Of callbacks. */
  readonly url: string | null;
  readonly sending: Sending;
}
