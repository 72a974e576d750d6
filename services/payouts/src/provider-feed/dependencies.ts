import type { Feeds } from '@gateway/provider-feeds';
import type { StepsDependencies } from '#src/steps/dependencies.ts';

/** What it takes to follow what providers report. */
export interface ProviderFeedDependencies extends StepsDependencies {
  /** The lists of providers, and the inbox of what they and notifications report. */
  readonly feeds: Feeds;
}
