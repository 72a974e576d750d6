import type { DisputeEvidence, OperatorDispute } from '#src/generated/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';

/** What a dispute's state means for its reader. */
export const toneOf: Readonly<Record<OperatorDispute['status'], Tone>> = {
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

/** Below this the end of a deadline is shown as a danger. */
const dangerMs = 24 * 3_600_000;

/** How a deadline stands: what is decided has none any more. */
export function deadlineOf(
  { status, defense_due_at: due }: Pick<OperatorDispute, 'status' | 'defense_due_at'>,
  now: Date,
): { readonly at: Date; readonly isPast: boolean; readonly tone: Tone } | undefined {
  if (due === null || status === 'WON' || status === 'LOST') return undefined;
  const at = new Date(due);
  const leftMs = at.getTime() - now.getTime();
  return { at, isPast: leftMs <= 0, tone: leftMs <= 0 ? 'neutral' : leftMs < dangerMs ? 'bad' : 'wait' };
}
