import type { Environment } from '@gateway/contracts/values';
import type { ChargeDependencies } from '#src/charge/dependencies.ts';
import type { DisputeDependencies } from '#src/dispute/dependencies.ts';

export interface ProviderFeedDependencies extends ChargeDependencies, DisputeDependencies {
  /** How often each provider's lists are read. */
  readonly pollIntervalMs: number;
  /** Questions to a provider per minute, of lists and of what is asked about singly. */
  readonly callsPerMinute: number;
}

/** Whose word it is. */
export interface EventSource {
  readonly environment: Environment;
  readonly provider: string;
}
