import type { Provider, ProviderBalance } from '#src/generated/types.gen.ts';

/** Under which all providers are kept. */
export const providersKey = ['providers'] as const;

/** What nothing explains, in the smallest unit; undefined while nothing could be compared. */
export function differenceOf({ difference_cents: difference, problem }: ProviderBalance): number | undefined {
  return difference === null || problem !== null ? undefined : difference;
}

/** Who takes what a provider does not take any more: those of its environment and rails that are on, by weight. */
export function othersOf(provider: Provider, all: readonly Provider[]): readonly string[] {
  const takes = (other: Provider) =>
    other.environment === provider.environment &&
    other.id !== provider.id &&
    other.kind === provider.kind &&
    other.enabled &&
    other.payment_methods.some((rail) => provider.payment_methods.includes(rail));
  return all
    .filter(takes)
    .sort((one, other) => other.weight - one.weight)
    .map(({ id }) => id);
}
