import type { FoundRecord } from '#src/generated/types.gen.ts';

/** Kinds of record that the console has a page of. */
const withPage: readonly FoundRecord['kind'][] = ['payout'];

export function hasPage(kind: FoundRecord['kind']): boolean {
  return withPage.includes(kind);
}
