import type { OrphanReceipt } from '#src/generated/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';

/** What has become of a receipt that has no deposit. */
export const receiptToneOf: Readonly<Record<OrphanReceipt['state'], Tone>> = {
  RETURNING: 'wait',
  RETURNED: 'good',
  FAILED: 'bad',
};
