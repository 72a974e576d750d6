import type { FoundRecord } from '#src/generated/types.gen.ts';

/** The page of each kind of record, for those that the console has one of. */
export const pageOf = {
  deposit: '/deposits/$id',
  payout: '/payouts/$id',
  refund: '/refunds/$id',
  dispute: '/disputes/$id',
  account: '/accounts/$id',
  orphan_receipt: '/orphan-receipts/$id',
  conversion: '/conversions/$id',
} as const satisfies Partial<Record<FoundRecord['kind'], string>>;

export type KindWithPage = keyof typeof pageOf;

export function hasPage(kind: string): kind is KindWithPage {
  return Object.hasOwn(pageOf, kind);
}
