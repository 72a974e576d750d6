import type { OrphanReceipt, RefundResolve } from '#src/generated/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';

/** What has become of a receipt that has no deposit. */
export const receiptToneOf: Readonly<Record<OrphanReceipt['state'], Tone>> = {
  RETURNING: 'wait',
  RETURNED: 'good',
  FAILED: 'bad',
};

/**
 * Which outcomes two operators can state of a receipt as it is: what went back stays so, and what a provider contradicts
 * is confirmed. The server refuses the others.
 */
export function outcomesOf({
  state,
  attention,
}: Pick<OrphanReceipt, 'state' | 'attention'>): readonly RefundResolve['outcome'][] {
  switch (state) {
    case 'RETURNING':
      return ['done', 'failed'];
    case 'FAILED':
      return attention === null ? ['done'] : ['done', 'failed'];
    case 'RETURNED':
      return attention === null ? [] : ['done'];
  }
}
