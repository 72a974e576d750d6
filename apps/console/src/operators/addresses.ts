import type { ApprovalsQuery } from '#src/approvals/list-approvals.tsx';
import type { PayoutsQuery } from '#src/payouts/list-payouts.tsx';

/** What an address may say of the list of payouts. The server answers 400 to a value that it does not know. */
export function payoutFilters(given: Readonly<Record<string, unknown>>): PayoutsQuery {
  const texts = textsIn(given, ['status', 'environment', 'account_id', 'provider', 'external_id', 'e2e_id', 'cursor']);
  return { ...texts, ...(String(given['attention']) === 'true' ? { attention: 'true' } : {}) };
}

export function approvalFilters(given: Readonly<Record<string, unknown>>): ApprovalsQuery {
  return textsIn(given, ['state', 'kind', 'account_id', 'proposed_by', 'cursor']);
}

/** The router reads `1234` as a number, which an external_id may be. */
function textsIn(given: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, string> {
  const pairs = names.map((name) => [name, given[name]] as const);
  const present = pairs.filter(([, value]) => typeof value === 'string' || typeof value === 'number');
  return Object.fromEntries(present.map(([name, value]) => [name, String(value)]));
}
