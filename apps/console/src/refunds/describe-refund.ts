import type { OperatorRefund, RefundResolve } from '#src/generated/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';

/** What a refund's state means for its reader. */
export const toneOf: Readonly<Record<OperatorRefund['status'], Tone>> = {
  PROCESSING: 'wait',
  DONE: 'good',
  FAILED: 'bad',
};

/** What follows from an outcome that two operators state: the money goes out or back, or the record stays as it is. */
type Consequence = 'ends' | 'debited' | 'credited' | 'stays';

/** Which outcomes two operators can state of a refund as it is, with what follows from each. The server refuses the others. */
export function outcomesOf({
  status,
  attention,
}: Pick<OperatorRefund, 'status' | 'attention'>): readonly (readonly [RefundResolve['outcome'], Consequence])[] {
  switch (status) {
    case 'PROCESSING':
      return [
        ['done', 'ends'],
        ['failed', 'credited'],
      ];
    case 'FAILED':
      return attention === null
        ? [['done', 'debited']]
        : [
            ['done', 'debited'],
            ['failed', 'stays'],
          ];
    case 'DONE':
      if (attention === null) return [];
      return attention === 'contradiction'
        ? [
            ['done', 'stays'],
            ['failed', 'credited'],
          ]
        : [['done', 'stays']];
  }
}
