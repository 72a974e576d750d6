import type { LedgerCommandKind, LedgerCommandOf, LedgerRefusal } from '@gateway/contracts/ledger';
import type { Posting } from '#src/posting/posting.ts';
import type { Reference, ReferenceKind, ReferenceOf, ShortReference } from '#src/posting/reference.ts';

/** The balance of one merchant account in one currency. */
export interface Buckets {
  readonly available: number;
  readonly pending: number;
  readonly blocked: number;
}

/** What a rule may read. A rule changes nothing, so the same view and command always have the same result. */
export interface LedgerView {
  bucketsOf(accountId: string, currency: string): Buckets;
  reference(id: string): Reference | undefined;
}

/** The postings of a command and the references it leaves behind, before the balances have been looked at. */
export interface Proposal {
  readonly postings: readonly Posting[];
  readonly references: readonly Reference[];
  /** Amounts the ledger decided itself, for the result. */
  readonly amounts?: Readonly<Record<string, number>>;
  /** Those of the references whose change has to be published. */
  readonly alsoChanged?: readonly ShortReference[];
}

export interface Refusal {
  readonly refusal: LedgerRefusal;
}

export type RuleResult = Proposal | Refusal;

/** `atMs`: the time of the decision, Unix milliseconds, for deadlines. */
export type Rule<K extends LedgerCommandKind> = (
  command: LedgerCommandOf<K>,
  view: LedgerView,
  atMs: number,
) => RuleResult;

export function refuse(refusal: LedgerRefusal): Refusal {
  return { refusal };
}

export function isRefusal(result: object): result is Refusal {
  return 'refusal' in result;
}

/**
 * The record that a command refers to. The checks have a fixed order: unknown, which a record of another account is
 * too, then another currency.
 */
export function referenceOf<K extends ReferenceKind>(
  view: LedgerView,
  kind: K,
  id: string,
  command: { readonly accountId: string; readonly currency: string },
): ReferenceOf<K> | Refusal {
  const found = view.reference(id);
  if (found?.kind !== kind || found.accountId !== command.accountId) return refuse('unknown_reference');
  if (found.currency !== command.currency) return refuse('currency_mismatch');
  return found as ReferenceOf<K>;
}
