import type { Environment } from '@gateway/contracts/values';

/** Whose word it is. */
export interface EventSource {
  readonly environment: Environment;
  readonly provider: string;
}
