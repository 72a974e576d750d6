import type { RailMoney } from '@gateway/money';
import type { Differs, Unknown } from '#src/outcomes.ts';

/** What an answer states of a payout, a refund or a charge that is recorded with `ref` and `money`. */
export interface Answered {
  readonly ref: string;
  readonly amount: number;
  /** Where the provider states it. */
  readonly currency?: string;
}

/** Where an answer is about something else than the record; null where it agrees. */
export function differs(
  record: { readonly ref: string; readonly money: RailMoney },
  { ref, amount, currency }: Answered,
): Differs | null {
  if (ref !== record.ref) return { status: 'DIFFERS', field: 'reference', reported: ref };
  if (currency !== undefined && currency !== record.money.currency) {
    return { status: 'DIFFERS', field: 'currency', reported: currency };
  }
  if (amount !== record.money.amount) return { status: 'DIFFERS', field: 'amount', reported: String(amount) };
  return null;
}

/** The same where a call changed something: what it changed is not known. */
export function unknownFor({ field, reported }: Differs, providerRef: string): Unknown {
  const cause = `the provider answered with another ${field}`;
  return { kind: 'unknown', cause, providerRef, differs: { field, reported } };
}
