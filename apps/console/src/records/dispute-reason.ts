import type { CommonTexts } from '#src/texts/common-en.ts';

/** What the payer says, in words; a reason that is new is shown as the provider calls it. */
export function disputeReason(reason: string | null, { disputeReason: words }: CommonTexts): string | null {
  const known: Readonly<Record<string, string>> = words;
  return reason === null ? null : (known[reason] ?? reason);
}
