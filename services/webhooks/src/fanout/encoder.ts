import type { ApiVersion } from '@gateway/contracts';
import type { ConnectorReader } from '#src/endpoints/connector-registration.ts';
import type { PublicEvent } from '#src/fanout/public-event.ts';

/** What an encoder may look at of the endpoint it writes for. */
export interface Reader {
  readonly id: string;
  readonly apiVersion: ApiVersion;
  /** Of endpoints in the connector's format. */
  readonly connector?: ConnectorReader | undefined;
}

/** A way of writing bodies. Pure: the same event and variant always give the same bytes. */
export interface Encoder {
  /** Whether its bodies repeat a secret of the registration: then they are stored sealed. */
  readonly confidential: boolean;
  /** Names the bytes: endpoints with the same variant share one stored body. */
  readonly variantFor: (reader: Reader) => string;
  /** The body, or undefined when this format is silent about the event. */
  readonly encode: (event: PublicEvent, reader: Reader) => Buffer | undefined;
}
