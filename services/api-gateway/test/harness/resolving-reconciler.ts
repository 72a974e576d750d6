import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import {
  getException,
  listLines,
  listStatementDays,
  proposeResolution,
  reopenException,
  resolveException,
  type ReconciliationException,
  type StatementDay,
} from '@gateway/contracts/reconciler';
import { answering, type RpcRoute } from '@gateway/messaging';
import { newId } from '@gateway/money';
import type { OperationTable } from './changing-services.ts';
import { operatorTokens, type GatewayUnderTest } from './start-gateway.ts';

/** A reconciler with exceptions that are resolved once, under the approval that comes first. */
export class ResolvingReconciler {
  readonly exceptions = new Map<string, ReconciliationException>();
  readonly #approvals = new Map<string, string>();
  readonly asked: string[] = [];

  open(members: Partial<ReconciliationException> = {}): ReconciliationException {
    const exception: ReconciliationException = {
      ...{ id: newId('exception'), environment: 'test', provider: 'efi', currency: 'BRL', subject: 'line:payment:7' },
      ...{ reason: 'line_without_record', amount: 250, lineAmount: 250, recordAmount: 0, ledgerAmount: 0 },
      ...{ accountId: null, state: 'OPEN', openedAt: '2026-01-02T10:04:37.250Z', proposal: null, proposedBy: null },
      ...{ resolvedBy: null, resolvedAt: null },
      ...members,
    };
    this.exceptions.set(exception.id, exception);
    return exception;
  }

  change(id: string, members: Partial<ReconciliationException>): { exception: ReconciliationException } {
    const exception = { ...this.find(id), ...members };
    this.exceptions.set(id, exception);
    return { exception };
  }

  find(id: string): ReconciliationException {
    const exception = this.exceptions.get(id);
    if (!exception) throw new NotFoundError('exception');
    return exception;
  }

  routes(): RpcRoute[] {
    return [
      answering(getException, async ({ id }) => ({
        ...{ exception: this.find(id), lines: [], facts: [], candidates: [] },
      })),
      answering(proposeResolution, async ({ id, approvalId, resolution, proposedBy }) => {
        this.asked.push('propose');
        if (!['OPEN', 'PROPOSED'].includes(this.find(id).state)) throw new DomainError('INVALID_STATE', 'not open');
        this.#approvals.set(id, approvalId);
        return this.change(id, { state: 'PROPOSED', proposal: { ...resolution, approvalId }, proposedBy });
      }),
      answering(resolveException, async ({ id, approvalId, seen, approvedBy, resolution, proposedBy }) => {
        this.asked.push('resolve');
        const known = this.find(id);
        if (known.state === 'RESOLVED' && this.#approvals.get(id) === approvalId) return { exception: known };
        if (known.lineAmount !== seen.lineAmount) throw new DomainError('INVALID_STATE', 'its sides have changed');
        this.#approvals.set(id, approvalId);
        const resolved = { state: 'RESOLVED', resolvedBy: approvedBy, resolvedAt: known.openedAt } as const;
        return this.change(id, { ...resolved, proposal: { ...resolution, approvalId }, proposedBy });
      }),
      answering(reopenException, async ({ id, approvalId }) => {
        this.asked.push('reopen');
        if (this.#approvals.get(id) !== approvalId) return { exception: this.find(id) };
        return this.change(id, { state: 'OPEN', proposal: null, proposedBy: null, resolvedBy: null, resolvedAt: null });
      }),
    ];
  }
}

const reconciler = new ResolvingReconciler();
/** A day that was closed. */
export const statementDay: StatementDay = {
  ...{
    provider: 'efi',
    currency: 'BRL',
    day: '2026-01-02',
    state: 'CLOSED',
    opening: 0,
    lines: 5,
    late: 0,
    closing: 5,
  },
  ...{
    providerBalance: null,
    checkpoint: null,
    unexplainedPlus: 0,
    unexplainedMinus: 0,
    closedAt: null,
    closedBy: 'ana',
  },
};

/** What operators change at the reconciler. */
export function resolvingServices(): RpcRoute[] {
  return [
    ...reconciler.routes(),
    answering(listLines, async () => ({ lines: [], nextCursor: null })),
    answering(listStatementDays, async () => ({
      days: [{ ...statementDay, state: 'OPEN' as const, closedBy: null }],
      nextCursor: null,
    })),
  ];
}

export const dayOperations: OperationTable = {
  'POST /ops/statement-days/:provider/:currency/:day/close': () => ({
    ...{ path: '/ops/statement-days/efi/BRL/2026-01-02/close', body: { reason: 'the bank has no more of it' } },
    ...{ action: 'approval.propose', before: null },
    after: { kind: 'statement-day.close', target: 'efi/BRL/2026-01-02', state: 'PROPOSED' },
  }),
};

const brunos = { authorization: `Bearer ${operatorTokens.bruno}` };

async function decided(gateway: GatewayUnderTest, how: 'approve' | 'reject') {
  const { id } = reconciler.open();
  const body = { action: 'foreign', note: 'the owner paid in' };
  const proposed = await gateway.asOperator('POST', `/ops/exceptions/${id}/propose`, { body });
  return { path: `/ops/exceptions/${id}/${how}`, body: { approval_id: proposed.body.approval.id }, headers: brunos };
}

/** The gateway keeps the proposal; the provider is that of the other tables. */
export const ownTransferOperations: OperationTable = {
  'POST /ops/own-transfers': () => ({
    path: '/ops/own-transfers',
    body: { provider: 'efi', currency: 'BRL', amount_cents: 900, reference: newId('request'), reason: 'a top-up' },
    ...{ action: 'approval.propose', before: null },
    after: { kind: 'own-transfer.declare', environment: 'live', state: 'PROPOSED' },
  }),
};

/** The gateway keeps the proposal, and what has become of it. */
export const exceptionOperations: OperationTable = {
  'POST /ops/exceptions/:id/propose': () => {
    const { id } = reconciler.open();
    return {
      ...{ path: `/ops/exceptions/${id}/propose`, body: { action: 'foreign', note: 'the owner paid in' } },
      ...{ action: 'approval.propose', before: null },
      after: { kind: 'exception.resolve', target: id, state: 'PROPOSED' },
    };
  },
  'POST /ops/exceptions/:id/approve': async (gateway) => ({
    ...{ ...(await decided(gateway, 'approve')), action: 'exception.resolve' },
    ...{ before: { status: 'PROPOSED' }, after: { status: 'RESOLVED', resolved_by: 'bruno' } },
    also: ['approval.approve'],
  }),
  'POST /ops/exceptions/:id/reject': async (gateway) => ({
    ...{ ...(await decided(gateway, 'reject')), action: 'approval.refuse' },
    ...{ before: { state: 'PROPOSED' }, after: { state: 'REFUSED', decided_by: 'bruno' } },
  }),
};
