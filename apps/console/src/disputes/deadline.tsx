import { deadlineOf } from '#src/disputes/describe-dispute.ts';
import type { OperatorDispute } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatAge } from '#src/texts/time.ts';

interface DeadlineProps {
  readonly dispute: Pick<OperatorDispute, 'status' | 'defense_due_at'>;
  readonly now: Date;
}

/** How long evidence can still be sent. */
export function Deadline({ dispute, now }: DeadlineProps) {
  const { texts, language } = useOperatorTexts();
  const deadline = deadlineOf(dispute, now);
  if (!deadline) return '–';
  const age = formatAge(now, deadline.at, language);
  const word = deadline.isPast ? texts.disputes.past(age) : texts.disputes.left(age);
  return <Status tone={deadline.tone} word={word} />;
}
