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
