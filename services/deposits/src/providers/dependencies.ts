import type { Currency } from '@gateway/money';
import type { Feeds } from '@gateway/provider-feeds';
import type { BooksElsewhere } from '#src/providers/booked-money.ts';
import type { RoutingDependencies } from '#src/routing/dependencies.ts';
import type { ProviderSettings } from '#src/routing/provider-settings.ts';

/** What each provider takes for one operation, by currency, in minor units. */
export type ProviderTariffs = Readonly<Record<string, Readonly<Partial<Record<Currency, readonly number[]>>>>>;

export interface ProvidersDependencies extends RoutingDependencies {
  readonly booksElsewhere: BooksElsewhere;
  readonly providerSettings: ProviderSettings;
  /** Has every process ask again what `listProviders` answers; to be called once that was committed. */
  readonly announceProviders: () => void;
  readonly feeds: Feeds;
  readonly providerTariffs: ProviderTariffs;
}
