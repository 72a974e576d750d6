import { later } from '#src/times.ts';

/** The attempts of one address or for one name, as they are stored. */
export interface Attempts {
  readonly count: number;
  /** Of the first of them, or of the last where the limit counts from that. */
  readonly since: Date;
  readonly blockedUntil: Date | null;
}

export interface AttemptLimit {
  /** Wrong attempts within the time. */
  readonly max: number;
  readonly windowSec: number;
  /** Whether each further attempt waits twice as long as the one before; else the next window is waited for. */
  readonly doubling: boolean;
}

/** Of one address, a minute. */
export const addressLimit: AttemptLimit = { max: 10, windowSec: 60, doubling: false };

/** Challenges of one address, a minute: a page asks for one whenever it is opened. */
export const challengeLimit: AttemptLimit = { max: 120, windowSec: 60, doubling: false };

/** Invitations of one account, a quarter of an hour. */
export const invitationLimit: AttemptLimit = { max: 30, windowSec: 900, doubling: false };

/** For one name, whether it exists or not. Doubling ends at a quarter of an hour: a lasting lock would be a weapon. */
export const nameLimit: AttemptLimit = { max: 5, windowSec: 900, doubling: true };

const firstDelaySec = 30;
const delaySecMax = 900;

/** What is stored after one more attempt; the same object when that attempt has to wait. */
export function afterAttempt(before: Attempts, limit: AttemptLimit, now: Date): Attempts {
  const { count, since, blockedUntil } = before;
  if (blockedUntil !== null && blockedUntil > now) return before;
  // A delay that doubles is forgotten a quiet window after its end; a window that is waited for ends together with it.
  const quietSince = limit.doubling && blockedUntil !== null && blockedUntil > since ? blockedUntil : since;
  if (later(quietSince, limit.windowSec) <= now) return { count: 1, since: now, blockedUntil: null };
  const next = count + 1;
  const started = limit.doubling || count === 0 ? now : since;
  if (next < limit.max) return { count: next, since: started, blockedUntil: null };
  if (!limit.doubling) return { count: next, since: started, blockedUntil: later(started, limit.windowSec) };
  const delaySec = Math.min(delaySecMax, firstDelaySec * 2 ** Math.min(next - limit.max, 10));
  return { count: next, since: now, blockedUntil: later(now, delaySec) };
}
