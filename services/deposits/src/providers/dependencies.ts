import type { Feeds } from '@gateway/provider-feeds';
import type { BooksElsewhere } from '#src/providers/booked-money.ts';
import type { RoutingDependencies } from '#src/routing/dependencies.ts';
import type { ProviderSettings } from '#src/routing/provider-settings.ts';

export interface ProvidersDependencies extends RoutingDependencies {
  readonly booksElsewhere: BooksElsewhere;
  readonly providerSettings: ProviderSettings;
  readonly feeds: Feeds;
}
