import { told, type NotificationGrade } from '#src/certainty.ts';
import type { NotificationVerdict, ProviderEvent } from '#src/notifications.ts';

/** What an adapter answers for an authentic notification of the grade. */
export function verdictOf(grade: NotificationGrade, events: readonly ProviderEvent[]): NotificationVerdict {
  if (grade === 'ours') return { ok: true, grade, events: events.map((event) => told('ours', event)) };
  return { ok: true, grade, events: events.map((event) => told('hint', event)) };
}
