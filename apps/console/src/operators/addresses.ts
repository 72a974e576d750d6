import type { ActivityQuery } from '#src/accounts/show-account-activity.tsx';
import type { AccountStatementQuery } from '#src/accounts/show-account-statement.tsx';
import type { WebhooksQuery } from '#src/accounts/show-account-webhooks.tsx';
import type { AuditQuery } from '#src/audit/list-audit.tsx';
import type { ConversionsQuery } from '#src/conversions/list-conversions.tsx';
import type { UnreadQuery } from '#src/feeds/list-feeds.tsx';
import type { LettersQuery } from '#src/letters/list-letters.tsx';
import type { SignInsQuery } from '#src/people/list-sign-ins.tsx';
import type { ReceiptsQuery } from '#src/receipts/list-receipts.tsx';
import type { DaysQuery } from '#src/reconciliation/list-days.tsx';
import type { FilesQuery } from '#src/reconciliation/list-files.tsx';
import type { ReconciliationsQuery } from '#src/reconciliation/list-reconciliations.tsx';
import type { AccountsQuery } from '#src/accounts/list-accounts.tsx';
import type { AccountDeliveriesQuery } from '#src/accounts/show-account-webhook.tsx';
import type { ApprovalsQuery } from '#src/approvals/list-approvals.tsx';
import type { DepositsQuery } from '#src/deposits/list-deposits.tsx';
import type { DisputesQuery } from '#src/disputes/list-disputes.tsx';
import type { ExceptionsQuery } from '#src/exceptions/list-exceptions.tsx';
import type { OverviewQuery } from '#src/operators/overview.tsx';
import type { PayoutsQuery } from '#src/payouts/list-payouts.tsx';
import type { RefundsQuery } from '#src/refunds/list-refunds.tsx';
import type { RequestsQuery } from '#src/requests/list-requests.tsx';
import { periodIn } from '#src/volumes/totals.ts';

/** What the lists of records have in common. */
const common = [
  ...['status', 'environment', 'account_id', 'provider', 'external_id', 'e2e_id', 'currency', 'cursor'],
] as const;
/** Of them, what is a number: moments in Unix seconds, and amounts in the smallest unit. */
const commonNumbers = ['from', 'to', 'min_amount', 'max_amount'] as const;

/*
 * What an address may say of a list. The server answers 400 to a value that it does not know.
 */

export function overviewFilters({ environment, period }: Given): OverviewQuery {
  return {
    ...(environment === 'test' ? { environment } : {}),
    ...(period === undefined ? {} : { period: periodIn(period) }),
  };
}

export function depositFilters(given: Given): DepositsQuery {
  return recordsIn(given, 'payer_document');
}

export function payoutFilters(given: Given): PayoutsQuery {
  return { ...recordsIn(given, 'kind', 'recipient_document', 'pix_key'), ...attentionIn(given) };
}

export function refundFilters(given: Given): RefundsQuery {
  return { ...recordsIn(given, 'deposit_id'), ...attentionIn(given) };
}

export function disputeFilters(given: Given): DisputesQuery {
  const dueBefore = Number(given['due_before']);
  const due = Number.isSafeInteger(dueBefore) && dueBefore > 0 ? { due_before: dueBefore } : {};
  return { ...recordsIn(given, 'deposit_id'), ...attentionIn(given), ...due };
}

export function exceptionFilters(given: Given): ExceptionsQuery {
  return textsIn(given, ['status', 'provider', 'reason', 'account_id', 'cursor']);
}

export function approvalFilters(given: Given): ApprovalsQuery {
  return textsIn(given, ['state', 'kind', 'account_id', 'proposed_by', 'cursor']);
}

export function accountFilters(given: Given): AccountsQuery {
  const frozen = String(given['frozen']) === 'true' ? { frozen: 'true' as const } : {};
  return { ...textsIn(given, ['name', 'document', 'cursor']), ...frozen };
}

export function deliveryFilters(given: Given): AccountDeliveriesQuery {
  return textsIn(given, ['status', 'event', 'data_id', 'cursor']);
}

export function letterFilters(given: Given): LettersQuery {
  return textsIn(given, ['status', 'service', 'consumer', 'subject', 'cursor']);
}

export function receiptFilters(given: Given): ReceiptsQuery {
  const names = ['state', 'environment', 'account_id', 'provider', 'e2e_id', 'deposit_id', 'cursor'];
  return { ...textsIn(given, names), ...attentionIn(given) };
}

export function conversionFilters(given: Given): ConversionsQuery {
  return textsIn(given, ['environment', 'account_id', 'currency', 'external_id', 'cursor']);
}

export function unreadFilters(given: Given): UnreadQuery {
  return textsIn(given, ['state', 'cursor']);
}

export function runFilters(given: Given): ReconciliationsQuery {
  return textsIn(given, ['status', 'cursor']);
}

export function dayFilters(given: Given): DaysQuery {
  return textsIn(given, ['provider', 'cursor']);
}

export function fileFilters(given: Given): FilesQuery {
  return textsIn(given, ['provider', 'state', 'cursor']);
}

export function signInFilters(given: Given): SignInsQuery {
  return textsIn(given, ['realm', 'person_id', 'outcome', 'cursor']);
}

export function auditFilters(given: Given): AuditQuery {
  return textsIn(given, ['kind', 'operator', 'action', 'target', 'account_id', 'request_id', 'cursor']);
}

export function requestFilters(given: Given): RequestsQuery {
  return textsIn(given, ['account_id', 'request_id', 'environment', 'status', 'key', 'code', 'path', 'cursor']);
}

export function activityFilters(given: Given): ActivityQuery {
  return textsIn(given, ['environment', 'cursor']);
}

export function accountStatementFilters(given: Given): AccountStatementQuery {
  return textsIn(given, ['environment', 'type', 'cursor']);
}

export function accountWebhookFilters(given: Given): WebhooksQuery {
  return textsIn(given, ['environment', 'cursor']);
}

type Given = Readonly<Record<string, unknown>>;

function attentionIn(given: Given): { readonly attention?: 'true' } {
  return String(given['attention']) === 'true' ? { attention: 'true' } : {};
}

/** What narrows the list of any record, and what that of one kind besides. */
function recordsIn(given: Given, ...more: readonly string[]): Record<string, string | number> {
  const numbers = commonNumbers.map((name) => [name, Number(given[name])] as const);
  const present = numbers.filter(([name, value]) => given[name] !== undefined && Number.isSafeInteger(value));
  return { ...textsIn(given, [...common, ...more]), ...Object.fromEntries(present) };
}

/** The router reads `1234` as a number, which an external_id may be. */
function textsIn(given: Given, names: readonly string[]): Record<string, string> {
  const pairs = names.map((name) => [name, given[name]] as const);
  const present = pairs.filter(([, value]) => typeof value === 'string' || typeof value === 'number');
  return Object.fromEntries(present.map(([name, value]) => [name, String(value)]));
}
