import { Readable } from 'node:stream';
import type { z } from 'zod';
import { NotFoundError } from '@gateway/contracts/errors';
import type { OperatorPermission } from '@gateway/contracts/identity';
import type { LedgerCommandClient, TimedBus } from '@gateway/messaging';
import { type IdKind, isId } from '@gateway/money';
import type { Database } from '@gateway/persistence';
import type { CallerDirectory } from '#src/accounts/caller-directory.ts';
import type { RulesByKind } from '#src/approvals/approval.ts';
import type { AuditedRead, OperatorAct } from '#src/approvals/audit.ts';
import { requirePermission } from '#src/approvals/permissions.ts';
import { type Answer, type Call, type Endpoint, type EndpointRow, isListFile } from '#src/http/endpoint.ts';
import type { Person, Principal } from '#src/http/principal.ts';
import type { ChangeStreams } from '#src/live/change-streams.ts';
import type { ApprovalLimit } from '#src/proposals/approval-limit.ts';
import { leaveTrace, revealedIn } from '#src/sessions/revealing.ts';

/** A request of an authenticated operator. */
export interface OperatorCall extends Call {
  readonly operator: string;
  readonly grantOf: Principal['grantOf'];
  readonly isShownAll: boolean;
  readonly responsible: string | null;
  readonly tokenApprovedBy: string | null;
  readonly isInForce: Principal['isInForce'];
  /** Of a person who signed in. */
  readonly person: CallingPerson | null;
  readonly accept: string | undefined;
}

/** A person who signed in, and what they have confirmed. */
export interface CallingPerson extends Person {
  readonly isConfirmed: boolean;
  readonly requireSecondTo: (proposerId: string | null, toPropose: OperatorPermission | null) => Promise<void>;
  /** Why the personal data of one record is asked for unmasked; undefined: it is masked. */
  readonly reveal: string | undefined;
}

/** What the operator API answers with. */
export interface OperatorServices {
  readonly bus: TimedBus;
  /** Puts commands to the ledger. */
  readonly ledgerClient: LedgerCommandClient;
  readonly database: Database;
  readonly directory: CallerDirectory;
  readonly changeStreams: ChangeStreams;
  /** How what takes two operators is carried out. */
  readonly rules: RulesByKind;
  /** What one operator approves alone. */
  readonly approvalLimit: ApprovalLimit;
  /** Whether tokens that are configured propose and decide: on a developer's machine alone. */
  readonly tokensDecide: boolean;
}

type ReadAction = AuditedRead['action'];

/** What a caller needs for an operation: the permission, or one of them. */
type Needed = OperatorPermission | readonly [OperatorPermission, ...OperatorPermission[]];

export interface OperatorEndpointRow extends EndpointRow<OperatorServices> {
  readonly permission: Needed;
  /** The name of the read in the audit trail, where the answer holds personal data. */
  readonly reads?: unknown;
}

interface OperatorEndpoint<Body extends z.ZodType | undefined, Query extends z.ZodType | undefined> extends Endpoint<
  OperatorCall,
  OperatorServices,
  Body,
  Query
> {
  /** Checked before the body is read. Proposals and decisions also take that of their kind. */
  readonly permission: Needed;
  /** The name of the read in the audit trail, where the answer holds personal data; it may depend on the query. */
  readonly reads?:
    ReadAction | ((query: Query extends z.ZodType ? z.output<Query> : undefined) => ReadAction | undefined);
}

/**
 * Ties a handler of the operator API to its schemas. What holds personal data is answered once its row is in the audit
 * trail, and not at all when the row cannot be written.
 */
export function operatorEndpoint<
  Body extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
>(endpoint: OperatorEndpoint<Body, Query>): OperatorEndpointRow {
  const { reads } = endpoint;
  if (reads === undefined && endpoint.method !== 'GET') return endpoint;
  return {
    ...endpoint,
    handle: async (call: Parameters<typeof endpoint.handle>[0], services: OperatorServices) => {
      const answer = await endpoint.handle(call, services);
      const named = typeof reads === 'function' ? reads(call.query) : reads;
      const action = named ?? (isListFile(answer) ? 'list.file' : undefined);
      if (action === undefined) return answer;
      const target = Object.values(call.params).at(-1) ?? (named === undefined ? endpoint.operation : action);
      await leaveTrace(services.database, actOf(call), answer, readOf({ action, target }, call, answer));
      return answer;
    },
  };
}

function readOf(
  read: Pick<AuditedRead, 'action' | 'target'>,
  call: OperatorCall & { readonly query: unknown },
  answer: Answer,
): AuditedRead {
  const asked = (answer.written === undefined ? null : call.query) as { readonly account_id?: string } | null;
  const reveal = call.person?.reveal;
  // A list is not revealed, whatever reason is given.
  const query = reveal === undefined || answer.written ? asked : { ...asked, ...revealedIn(reveal, answer) };
  const { id } = call.params;
  const ofAccount = id !== undefined && isId('account', id) ? id : undefined;
  const isStream = answer.body instanceof Readable;
  return {
    ...read,
    accountId: query?.account_id ?? ofAccount ?? (isStream ? null : accountIn(answer.body)),
    filter: query,
    records: isStream ? null : (answer.written?.records ?? 1),
  };
}

/** Of a record, or of a record under its name. */
function accountIn(body: unknown): string | null {
  const [first] = Object.values(body as object) as unknown[];
  for (const record of [body, first] as readonly ({ readonly account_id?: unknown } | null)[]) {
    if (typeof record?.account_id === 'string') return record.account_id;
  }
  return null;
}

/** @throws NotFoundError when the path holds no id of that kind; then there is nothing to ask for, nor to leave a trace of */
export function idIn({ params }: OperatorCall, kind: IdKind, what: string = kind): string {
  const { id = '' } = params;
  if (!isId(kind, id)) throw new NotFoundError(what);
  return id;
}

/** What the audit trail says about the request. */
export function actOf(call: OperatorCall): OperatorAct {
  const { operator, grantOf, requestId, responsible, tokenApprovedBy, person } = call;
  const may = (permission: OperatorPermission) => grantOf(permission) !== null;
  return { operator, may, requestId, at: new Date(), responsible, tokenApprovedBy, ...(person ? { person } : {}) };
}

/** @throws DomainError PERMISSION_DENIED when the caller has none of the permissions that the operation takes */
export function authorize({ grantOf }: Pick<Principal, 'grantOf'>, { permission }: OperatorEndpointRow): void {
  const anyOf = typeof permission === 'string' ? [permission] : permission;
  requirePermission({ may: (each) => grantOf(each) !== null }, ...anyOf);
}
