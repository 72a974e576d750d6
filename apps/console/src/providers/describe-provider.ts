import type { Provider, ProviderBalance, ProviderCalls } from '#src/generated/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';

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

const dayMs = 86_400_000;
/** Of a time in ISO 8601. */
const dayCharacters = 10;
/** A provider takes days to issue the next one. */
const renewBeforeDays = 30;
const urgentDays = 7;

/** How long our certificate for a provider is in force, in whole days; undefined where none is presented. */
export function certificateOf(
  { certificate_ends_at: ends }: Pick<Provider, 'certificate_ends_at'>,
  now: Date,
): { readonly day: string; readonly daysLeft: number; readonly tone: Tone } | undefined {
  if (ends === null) return undefined;
  const daysLeft = Math.floor((Date.parse(ends) - now.getTime()) / dayMs);
  const tone = daysLeft < urgentDays ? 'bad' : daysLeft < renewBeforeDays ? 'wait' : 'good';
  return { day: ends.slice(0, dayCharacters), daysLeft, tone };
}

/** The part of the calls that had no answer, from 0 to 1. */
export function failedPart({ calls, failed }: Pick<ProviderCalls, 'calls' | 'failed'>): number {
  return calls === 0 ? 0 : failed / calls;
}

const hoursOfDay = 24;

/** For how many hours what is held is enough, at what went out in a day beyond what came in; null: no more went out. */
export function hoursLeft(held: number, day: { readonly in: number; readonly out: number }): number | null {
  const lost = day.out - day.in;
  return lost <= 0 ? null : Math.floor((Math.max(held, 0) * hoursOfDay) / lost);
}
