/** A closed window of a list: from its start up to, and without, its end. */
export interface Window {
  readonly from: Date;
  readonly to: Date;
}

const hourSec = 3_600;
/** Readers from here on look back: what they find can wait for a call. */
export const lookingBackFromSec = hourSec;
const hourMs = hourSec * 1_000;
const dayMs = 24 * hourMs;

/** How far behind the present the first reader of a list stays: what is younger may still change its place. */
export const presentLagSec = 30;
/** What a provider books late is found by these; reading it again is harmless. */
const bookedLateLagsSec = [120, 600];
/** A page is lost to a window of this width at worst. */
export const widthMinMs = 10_000;
/**
 * How far back the first reading goes, in one window: a day in which nothing happened costs a call. What is booked late is
 * younger than that.
 */
export const firstLookBackMs = dayMs;
/**
 * The longest pause of a reader that looks back. What it finds is learned at most so much later than its distance says:
 * readers that are eighteen hours apart see every moment again within twenty-four.
 */
const lookingBackPauseMs = 6 * hourMs;

/** The readers of a list: one that follows the present, and those that read the same again later. */
export function lagsOf(rereadAfterHours: readonly number[]): number[] {
  return [presentLagSec, ...bookedLateLagsSec, ...rereadAfterHours.map((hours) => hours * hourSec)];
}

/** Of a reader that has never read. */
export function firstFrom(now: Date, lagSec: number): Date {
  const backMs = isBookedLate(lagSec) ? 0 : firstLookBackMs;
  return new Date(now.getTime() - lagSec * 1_000 - backMs);
}

function isBookedLate(lagSec: number): boolean {
  return lagSec > presentLagSec && !isLookingBack(lagSec);
}

function isLookingBack(lagSec: number): boolean {
  return lagSec >= lookingBackFromSec;
}

/** The share of a provider's calls that a reader leaves to those of younger moments. */
export function shareLeft(lagSec: number): number {
  if (lagSec === presentLagSec) return 0;
  return isLookingBack(lagSec) ? 0.5 : 0.25;
}

/** A day where windows are read again, so that a quiet one costs a call. */
export function widthMaxMs(lagSec: number): number {
  return isLookingBack(lagSec) ? dayMs : hourMs;
}

/** How often a reader reads that has nothing left to read. */
export function pauseMs(lagSec: number, intervalMs: number): number {
  if (lagSec === presentLagSec) return intervalMs;
  return Math.max(intervalMs, Math.min((lagSec * 1_000) / 2, lookingBackPauseMs));
}

/** Multiples of it, without their whole part, lie as far apart as so many points can. */
const goldenRatio = 0.618_033_988_75;

/** How long a new reader waits: one that looks back a part of its pause, so that many of them are spread over it. */
export function firstPauseMs(lagSec: number, intervalMs: number, place: number): number {
  return isLookingBack(lagSec) ? Math.floor(pauseMs(lagSec, intervalMs) * ((place * goldenRatio) % 1)) : 0;
}

/** What a reader reads next, or null while there is nothing that is closed. */
export function nextWindow(
  { from, lagSec, widthMs }: { readonly from: Date; readonly lagSec: number; readonly widthMs: number },
  now: Date,
): Window | null {
  const closedMs = now.getTime() - lagSec * 1_000;
  const toMs = Math.min(from.getTime() + widthMs, closedMs);
  return toMs > from.getTime() ? { from, to: new Date(toMs) } : null;
}

/** The first half of a window, or null for one that is not to be made smaller. */
export function firstHalf({ from, to }: Window): Window | null {
  const widthMs = to.getTime() - from.getTime();
  if (widthMs <= widthMinMs) return null;
  return { from, to: new Date(from.getTime() + Math.max(widthMinMs, Math.floor(widthMs / 2))) };
}

export function widthOf({ from, to }: Window): number {
  return to.getTime() - from.getTime();
}
