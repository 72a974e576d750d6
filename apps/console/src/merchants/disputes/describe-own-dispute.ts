import type { Dispute, DisputeEvidence } from '#src/generated/merchants/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';

/** What a dispute's state means for its reader. */
export const toneOf: Readonly<Record<Dispute['status'], Tone>> = {
  OPEN: 'wait',
  UNDER_ANALYSIS: 'wait',
  WON: 'good',
  LOST: 'bad',
};

/** What has become of a piece of evidence. */
export const evidenceToneOf: Readonly<Record<DisputeEvidence['status'], Tone>> = {
  WAITING: 'wait',
  SENT: 'good',
  ACCEPTED: 'good',
  REFUSED: 'bad',
};

/** The nearest deadline first; what has none comes last, as the list had it. */
export function byDeadline(disputes: readonly Dispute[]): Dispute[] {
  const dueOf = ({ defense_due_at: due }: Dispute) => (due === null ? Infinity : Date.parse(due));
  return [...disputes].sort((one, other) => {
    const [first, second] = [dueOf(one), dueOf(other)];
    return first === second ? 0 : first - second;
  });
}
