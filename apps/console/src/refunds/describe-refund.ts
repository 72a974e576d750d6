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

/** What follows from an outcome that two operators state of a refund as it is. */
export function consequenceOf(
  { status, attention }: Pick<OperatorRefund, 'status' | 'attention'>,
  outcome: RefundResolve['outcome'],
): Consequence {
  switch (status) {
    case 'PROCESSING':
      return outcome === 'done' ? 'ends' : 'credited';
    case 'FAILED':
      return outcome === 'done' ? 'debited' : 'stays';
    case 'DONE':
      return outcome === 'failed' && attention === 'contradiction' ? 'credited' : 'stays';
  }
}
