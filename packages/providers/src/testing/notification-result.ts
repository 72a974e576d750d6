import { graded, type NotificationGrade } from '#src/certainty.ts';
import type { NotificationResult, ProviderEvent } from '#src/notifications.ts';

/** What an adapter answers for an authentic notification of the grade. */
export function notificationResult(grade: NotificationGrade, events: readonly ProviderEvent[]): NotificationResult {
  if (grade === 'ours') return { ok: true, grade, events: events.map((event) => graded('ours', event)) };
  return { ok: true, grade, events: events.map((event) => graded('hint', event)) };
}
