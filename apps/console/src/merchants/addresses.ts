import type {
  ListDepositsData,
  ListDisputesData,
  ListEventsData,
  ListPayoutsData,
  ListRequestsData,
  ListTransactionsData,
  ListWebhookDeliveriesData,
} from '#src/generated/merchants/types.gen.ts';
import type { AuditQuery } from '#src/merchants/team/audit-entry.ts';
import type { KeysQuery } from '#src/merchants/developers/keys.ts';
import type { TeamApprovalsQuery } from '#src/merchants/approvals/team-approval.ts';

export type PaymentsQuery = NonNullable<ListDepositsData['query']>;
export type OwnPayoutsQuery = NonNullable<ListPayoutsData['query']>;
export type OwnDisputesQuery = NonNullable<ListDisputesData['query']>;
export type StatementQuery = NonNullable<ListTransactionsData['query']>;
export type RequestsQuery = NonNullable<ListRequestsData['query']>;
export type DeliveriesQuery = NonNullable<ListWebhookDeliveriesData['query']>;

/** Of one event or one kind, where the interface takes several. */
export type EventsQuery = Omit<NonNullable<ListEventsData['query']>, 'event'> & { readonly event?: string };

/*
 * What an address may say of a list. The server answers 400 to a value that it does not know.
 */

export function paymentFilters(given: Given): PaymentsQuery {
  const names = ['status', 'external_id', 'e2e_id', 'payer_document', 'metadata', 'currency', 'from', 'to', 'cursor'];
  return { ...textsIn(given, names), ...amountsIn(given) };
}

export function ownPayoutFilters(given: Given): OwnPayoutsQuery {
  const names = ['status', 'external_id', 'e2e_id', 'recipient_document', 'currency', 'kind', 'from', 'to', 'cursor'];
  return { ...textsIn(given, names), ...amountsIn(given) };
}

export function ownDisputeFilters(given: Given): OwnDisputesQuery {
  return textsIn(given, ['status', 'deposit_id', 'cursor']);
}

export function statementFilters(given: Given): StatementQuery {
  return textsIn(given, ['currency', 'type', 'from', 'to', 'cursor']);
}

export function deliveryFilters(given: Given): DeliveriesQuery {
  return textsIn(given, ['status', 'event', 'data_id', 'cursor']);
}

export function eventFilters(given: Given): EventsQuery {
  return textsIn(given, ['event', 'data_id', 'from', 'to', 'cursor']);
}

export function requestFilters(given: Given): RequestsQuery {
  return textsIn(given, ['status', 'code', 'path', 'request_id', 'key', 'cursor']);
}

export function teamApprovalFilters(given: Given): TeamApprovalsQuery {
  return textsIn(given, ['state', 'cursor']);
}

export function keyFilters(given: Given): KeysQuery {
  return textsIn(given, ['status', 'name', 'cursor']);
}

export function auditFilters(given: Given): AuditQuery {
  return textsIn(given, ['kind', 'person', 'from', 'to', 'cursor']);
}

type Given = Readonly<Record<string, unknown>>;

/** Amounts in the smallest unit. */
function amountsIn(given: Given): Record<string, number> {
  const numbers = ['min_amount', 'max_amount'].map((name) => [name, Number(given[name])] as const);
  return Object.fromEntries(
    numbers.filter(([name, value]) => given[name] !== undefined && Number.isSafeInteger(value)),
  );
}

/** The router reads `1234` as a number, which an external_id may be. */
function textsIn(given: Given, names: readonly string[]): Record<string, string> {
  const pairs = names.map((name) => [name, given[name]] as const);
  const present = pairs.filter(([, value]) => typeof value === 'string' || typeof value === 'number');
  return Object.fromEntries(present.map(([name, value]) => [name, String(value)]));
}
