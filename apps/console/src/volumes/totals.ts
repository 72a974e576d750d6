/** A total as either console reads it. */
export interface EventTotal {
  readonly event: string;
  readonly currency: string;
  /** Unix seconds. */
  readonly at: number;
  readonly count: number;
  /** In the smallest unit of the currency. */
  readonly amount_cents: number;
}

/** What is looked at: the last 24 hours by the hour, the last 7 or 30 days by the day. */
export const periods = ['day', 'week', 'month'] as const;
export type Period = (typeof periods)[number];

export const directions = ['in', 'out'] as const;
export type Direction = (typeof directions)[number];

/** What happened in an hour or on a day. */
export interface Slot {
  /** When it begins, in Unix seconds. */
  readonly at: number;
  /** What was paid, in the smallest unit of the currency. */
  readonly amount: number;
  readonly paid: number;
  /** How many came to an end, paid or not. */
  readonly ended: number;
}

/** How payments and payouts end. What waits is in none of these. */
const ends = {
  in: { paid: 'deposit.paid', unpaid: ['deposit.expired', 'deposit.canceled'] },
  out: { paid: 'payout.paid', unpaid: ['payout.failed', 'payout.canceled'] },
} as const;

/** What volumes are read of. */
export const endingEvents = directions.flatMap((direction) => [ends[direction].paid, ...ends[direction].unpaid]);

const hourSec = 3_600;
const hoursShown = 24;
const daysShown = { week: 7, month: 30 } as const;
const momentsShown = 8;
const hoursBetween = { day: 3, week: 24, month: 4 * 24 } as const;

export function periodIn(given: unknown): Period {
  return periods.find((period) => period === given) ?? 'day';
}

/** When each hour, or each day of the reader's zone, begins; the one of `now` is the last. */
export function slotsOf(period: Period, now: Date): readonly number[] {
  if (period === 'day') {
    const current = Math.floor(now.getTime() / 1_000 / hourSec) * hourSec;
    return Array.from({ length: hoursShown }, (_, index) => current - (hoursShown - 1 - index) * hourSec);
  }
  const days = daysShown[period];
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - (days - 1 - index));
    return day.getTime() / 1_000;
  });
}

/** Eight moments of the period: seven at whole hours, and now. */
export function momentsOf(period: Period, now: Date): readonly number[] {
  const nowSec = Math.floor(now.getTime() / 1_000);
  const stepSec = hoursBetween[period] * hourSec;
  const begun = Math.floor(nowSec / hourSec) * hourSec;
  const past = Array.from({ length: momentsShown - 1 }, (_, index) => begun - (momentsShown - 1 - index) * stepSec);
  return [...past, nowSec];
}

/** An hour or a day, as one reads it beside the others of the period. */
export function formatSlot(at: Date, period: Period, language: string): string {
  const form =
    period === 'day'
      ? ({ weekday: 'short', hour: 'numeric', minute: '2-digit' } as const)
      : ({ weekday: 'short', day: 'numeric', month: 'short' } as const);
  return new Intl.DateTimeFormat(language, form).format(at);
}

/** What volumes of a period are asked for by. */
export function queryOf(period: Period, now: Date) {
  return { ...slotQueryOf(period, now), event: [...endingEvents] };
}

/** What a period is asked for by: hours are those of UTC, days those of the reader's zone. */
export function slotQueryOf(period: Period, now: Date) {
  const zone = period === 'day' ? 'UTC' : new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const by = period === 'day' ? ('hour' as const) : ('day' as const);
  return { from: String(slotsOf(period, now)[0]), by, zone };
}

/** The currencies in which something ended, in the order of their names. */
export function currenciesOf(totals: readonly EventTotal[], direction: Direction): readonly string[] {
  const { paid, unpaid } = ends[direction];
  const own = totals.filter(({ event }) => [paid, ...unpaid].some((name) => name === event));
  return [...new Set(own.map(({ currency }) => currency))].sort();
}

/** A slot for each of these times, also for one in which nothing happened. */
export function volumesOf(
  totals: readonly EventTotal[],
  { direction, currency, slots }: { direction: Direction; currency: string; slots: readonly number[] },
): readonly Slot[] {
  const { paid, unpaid } = ends[direction];
  const own = totals.filter((total) => total.currency === currency);
  return slots.map((at) => {
    const here = own.filter((total) => total.at === at);
    const done = here.filter(({ event }) => event === paid);
    const notDone = here.filter(({ event }) => unpaid.some((name) => name === event));
    const [paidCount, unpaidCount] = [sumOf(done, 'count'), sumOf(notDone, 'count')];
    return { at, amount: sumOf(done, 'amount_cents'), paid: paidCount, ended: paidCount + unpaidCount };
  });
}

/** All of them together, from the beginning of the first. */
export function wholeOf(slots: readonly Slot[]): Slot {
  return slots.reduce((sum, slot) => ({
    at: sum.at,
    amount: sum.amount + slot.amount,
    paid: sum.paid + slot.paid,
    ended: sum.ended + slot.ended,
  }));
}

/** What was paid at a provider in one direction and one currency, and how many came to an end there. */
export interface ProviderVolume extends Omit<Slot, 'at'> {
  readonly provider: string;
  readonly direction: Direction;
  readonly currency: string;
}

interface ProviderTotal extends EventTotal {
  readonly provider: string;
}

/** The whole of a period by provider, payments first. */
export function volumesByProvider(totals: readonly ProviderTotal[]): readonly ProviderVolume[] {
  const providers = [...new Set(totals.map(({ provider }) => provider))].sort();
  return directions.flatMap((direction) =>
    providers.flatMap((provider) => {
      const own = totals.filter((total) => total.provider === provider);
      return currenciesOf(own, direction).map((currency) => {
        const slots = [...new Set(own.map(({ at }) => at))];
        const { amount, paid, ended } = wholeOf(volumesOf(own, { direction, currency, slots }));
        return { provider, direction, currency, amount, paid, ended };
      });
    }),
  );
}

/** Which part of what ended was paid; null where nothing ended. */
export function successOf({ paid, ended }: Pick<Slot, 'paid' | 'ended'>): number | null {
  return ended === 0 ? null : paid / ended;
}

function sumOf(totals: readonly EventTotal[], member: 'count' | 'amount_cents'): number {
  return totals.reduce((sum, total) => sum + total[member], 0);
}
