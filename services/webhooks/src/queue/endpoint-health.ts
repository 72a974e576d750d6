import type { DisabledReason } from '@gateway/contracts';
import type { Lane } from '#src/queue/lane.ts';

const hourMs = 3_600_000;
/** Hours of nothing but failures after which the owner is warned, and after which the endpoint is disabled. */
const warningHours = [48, 24, 12, 1] as const;
const disableHours = 72;
/** 410 says that an endpoint is gone; once may be an accident of a deployment. */
const goneAnswersMin = 3;
const goneForMs = 10 * 60_000;

export type HealthVerdict =
  | { readonly kind: 'well' }
  | { readonly kind: 'warn'; readonly failingHours: number }
  | { readonly kind: 'disable'; readonly reason: DisabledReason };

/** What the failures of a lane mean for its endpoint (webhooks.md 6 and 7). */
export function judgeEndpoint(lane: Lane, nowMs: number): HealthVerdict {
  if (lane.goneSinceMs !== null && lane.goneCount >= goneAnswersMin && nowMs - lane.goneSinceMs >= goneForMs) {
    return { kind: 'disable', reason: 'gone' };
  }
  if (lane.failingSinceMs === null) return { kind: 'well' };
  const failedHours = (nowMs - lane.failingSinceMs) / hourMs;
  if (failedHours >= disableHours) return { kind: 'disable', reason: 'failing' };
  const failingHours = warningHours.find((hours) => failedHours >= hours) ?? 0;
  return failingHours > lane.warnedHours ? { kind: 'warn', failingHours } : { kind: 'well' };
}
