import { Status } from '#src/look/status.tsx';
import { type Due, deadlineOf } from '#src/records/deadline-of.ts';
import { useLanguage } from '#src/texts/language.tsx';
import { formatAge } from '#src/texts/time.ts';

interface DeadlineProps {
  readonly dispute: Due;
  readonly now: Date;
}

/** How long evidence can still be sent. */
export function Deadline({ dispute, now }: DeadlineProps) {
  const { texts, language } = useLanguage();
  const deadline = deadlineOf(dispute, now);
  if (!deadline) return '–';
  const age = formatAge(now, deadline.at, language);
  const word = deadline.isPast ? texts.records.past(age) : texts.records.left(age);
  return <Status tone={deadline.tone} word={word} />;
}
