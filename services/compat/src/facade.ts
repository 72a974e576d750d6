import type { Bus, Database } from '@gateway/service-kit';
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
