import type { OperatorRefund } from '#src/generated/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';

/** What a refund's state means for its reader. */
export const toneOf: Readonly<Record<OperatorRefund['status'], Tone>> = {
  PROCESSING: 'wait',
  DONE: 'good',
  FAILED: 'bad',
};
