import type { z } from 'zod';
import { NotFoundError } from '@gateway/contracts/errors';
import type { LedgerCommandClient, TimedBus } from '@gateway/messaging';
import { type IdKind, isId } from '@gateway/money';
import type { Database } from '@gateway/persistence';
import type { CallerDirectory } from '#src/accounts/caller-directory.ts';
import type { RulesByKind } from '#src/approvals/approval.ts';
import type { OperatorAct } from '#src/approvals/audit.ts';
import type { Call, Endpoint, EndpointRow } from '#src/http/endpoint.ts';

/** A request of an authenticated operator. */
export interface OperatorCall extends Call {
  readonly operator: string;
  readonly accept: string | undefined;
}

/** What the operator API answers with. */
export interface OperatorServices {
  readonly bus: TimedBus;
  /** Puts commands to the ledger. */
  readonly ledgerClient: LedgerCommandClient;
  readonly database: Database;
  readonly directory: CallerDirectory;
  /** How what takes two operators is carried out. */
  readonly rules: RulesByKind;
}

export type OperatorEndpointRow = EndpointRow<OperatorServices>;

/** Ties a handler of the operator API to its schemas. */
export function operatorEndpoint<
  Body extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
>(endpoint: Endpoint<OperatorCall, OperatorServices, Body, Query>): OperatorEndpointRow {
  return endpoint;
}

/** @throws NotFoundError when the path holds no id of that kind; then there is nothing to ask for, nor to leave a trace of */
export function idIn({ params }: OperatorCall, kind: IdKind, what: string = kind): string {
  const { id = '' } = params;
  if (!isId(kind, id)) throw new NotFoundError(what);
  return id;
}

/** What the audit trail says about the request. */
export function actOf({ operator, requestId }: OperatorCall): OperatorAct {
  return { operator, requestId, at: new Date() };
}
