import type { ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';
import type { ProvidersDependencies } from '#src/providers/dependencies.ts';

/** The one object the composition makes for all floors. */
export type Dependencies = ProviderFeedDependencies & ProvidersDependencies;
