import type { ApiVersion, Environment, WebhookEvent } from '@gateway/contracts';

export interface Callback {
  readonly url: string;
  /** The contract of the call that created the record. */
  readonly apiVersion: ApiVersion;
}

/** What merchants are told, in no contract version yet. */
export interface PublicEvent {
  /** Stable over retries and endpoints: `X-Gateway-Event-Id`. */
  readonly id: string;
  readonly name: WebhookEvent;
  readonly environment: Environment;
  readonly accountId: string;
  /** Receivers de-duplicate by this and the name (spec 6, rule 3). */
  readonly dataId: string;
  /** Unix seconds. */
  readonly createdAt: number;
  /** Where the record's creator wants to be told of it, besides the endpoints. */
  readonly callback?: Callback | undefined;
  /** The whole public record, as that contract shows it. */
  readonly present: (apiVersion: ApiVersion) => object;
}
