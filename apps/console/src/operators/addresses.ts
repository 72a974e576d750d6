import type { ApprovalsQuery } from '#src/approvals/list-approvals.tsx';
import type { DepositsQuery } from '#src/deposits/list-deposits.tsx';
import type { DisputesQuery } from '#src/disputes/list-disputes.tsx';
import type { ExceptionsQuery } from '#src/exceptions/list-exceptions.tsx';
import type { PayoutsQuery } from '#src/payouts/list-payouts.tsx';
import type { RefundsQuery } from '#src/refunds/list-refunds.tsx';

/** What the lists of records have in common. */
const common = ['status', 'environment', 'account_id', 'provider', 'external_id', 'e2e_id', 'cursor'] as const;

/*
 * What an address may say of a list. The server answers 400 to a value that it does not know.
 */

export function depositFilters(given: Given): DepositsQuery {
  return textsIn(given, common);
}

export function payoutFilters(given: Given): PayoutsQuery {
  return { ...textsIn(given, common), ...attentionIn(given) };
}

export function refundFilters(given: Given): RefundsQuery {
  return { ...textsIn(given, [...common, 'deposit_id']), ...attentionIn(given) };
}

export function disputeFilters(given: Given): DisputesQuery {
  const dueBefore = Number(given['due_before']);
  const due = Number.isSafeInteger(dueBefore) && dueBefore > 0 ? { due_before: dueBefore } : {};
  return { ...textsIn(given, [...common, 'deposit_id']), ...attentionIn(given), ...due };
}

export function exceptionFilters(given: Given): ExceptionsQuery {
  return textsIn(given, ['status', 'provider', 'reason', 'account_id', 'cursor']);
}

export function approvalFilters(given: Given): ApprovalsQuery {
  return textsIn(given, ['state', 'kind', 'account_id', 'proposed_by', 'cursor']);
}

type Given = Readonly<Record<string, unknown>>;

function attentionIn(given: Given): { readonly attention?: 'true' } {
  return String(given['attention']) === 'true' ? { attention: 'true' } : {};
}

/** The router reads `1234` as a number, which an external_id may be. */
function textsIn(given: Given, names: readonly string[]): Record<string, string> {
  const pairs = names.map((name) => [name, given[name]] as const);
  const present = pairs.filter(([, value]) => typeof value === 'string' || typeof value === 'number');
  return Object.fromEntries(present.map(([name, value]) => [name, String(value)]));
}
