import type { Bus } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import type { SigningKeys } from '#src/tokens/signing-keys.ts';

/** What the connector's operations work with. */
export interface Facade {
  readonly bus: Bus;
  readonly database: Database;
  readonly keys: SigningKeys;
  /** Longest wait for another service. */
  readonly rpcTimeoutMs: number;
  readonly now: () => Date;
}
