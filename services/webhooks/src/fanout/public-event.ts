import type { ApiVersion, Environment, WebhookEvent } from '@gateway/contracts';

export interface Callback {
  readonly url: string;
  /** The contract of the call that created the record. */
  readonly apiVersion: ApiVersion;
}

/** What merchants are told, in no contract version yet. */
export interface PublicEvent {
  /** Stable over retries and endpoints: `id` of the body and `X-Gateway-Event-Id`. Receivers de-duplicate by it. */
  readonly id: string;
  readonly name: WebhookEvent;
  readonly environment: Environment;
  readonly accountId: string;
  /** The record; with the name it is unique too but for events a record can have several times (spec 6, rule 3). */
  readonly dataId: string;
  /** Unix seconds. */
  readonly createdAt: number;
  /** Where the record's creator wants to be told of it, besides the endpoints. */
  readonly callback?: Callback | undefined;
  /** The whole public record, as that contract shows it. */
  readonly present: (apiVersion: ApiVersion) => object;
}
