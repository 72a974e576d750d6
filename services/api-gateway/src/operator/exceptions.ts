import {
  getException,
  listExceptions,
  type ReconciliationException,
  reopenException,
} from '@gateway/contracts/reconciler';
import { callRpc } from '@gateway/messaging';
import {
  type ExceptionDecisionRequest,
  exceptionDecisionRequestSchema,
  exceptionDetailResourceSchema,
  exceptionResourceSchema,
  exceptionsQuerySchema,
  exceptionWithApprovalSchema,
  presentExceptionDetail,
  resolutionRequestSchema,
} from '@gateway/public-api';
import { type Approval, presentApproval } from '#src/approvals/approval.ts';
import { approve, endProposal } from '#src/approvals/decide-approval.ts';
import {
  actOf,
  idIn,
  operatorEndpoint,
  type OperatorCall,
  type OperatorServices,
} from '#src/operator/operator-endpoint.ts';
import { operatorList } from '#src/operator/operator-list.ts';
import { presentExceptions } from '#src/proposals/present-exceptions.ts';
import { approvalOfException, proposeExceptionResolution } from '#src/proposals/resolve-exception.ts';

/** The reconciler decides, and then the ledger. */
const decisionTimeoutMs = 10_000;

export const exceptionEndpoints = [
  operatorList({
    path: '/ops/exceptions',
    operation: 'listExceptions',
    permission: 'operations:read',
    summary: 'List what the sides of the reconciliation do not explain, newest first',
    description:
      'Answers with movements of money that are not explained within their time: the statement of the provider, our records ' +
      'and the ledger do not have them with the same amount. `status=OPEN` is the work to be done.',
    query: exceptionsQuerySchema,
    name: 'exceptions',
    schema: exceptionResourceSchema,
    page: async ({ query: { status: state, provider, reason, account_id: accountId } }, { bus, database }, page) => {
      const filter = { state, provider, reason, accountId };
      const { exceptions, nextCursor } = await callRpc(bus, listExceptions, { ...filter, ...page });
      return { data: await presentExceptions(database, exceptions), nextCursor };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/exceptions/:id',
    operation: 'getException',
    permission: 'operations:read',
    summary: 'Read an exception with all that its sides say',
    description:
      'Answers with the lines of the statement as the provider wrote them, what our record and the ledger say, with the place ' +
      'and the hash of the link in the chain, and with what is not explained either and may belong to it: the same amount ' +
      'and currency within ten minutes, and no other counterparty.',
    answers: { 200: exceptionDetailResourceSchema },
    reads: 'exception.read',
    handle: async (call, { bus, database }) => {
      const { exception, ...detail } = await callRpc(bus, getException, { id: idIn(call, 'exception') });
      return { status: 200, body: presentExceptionDetail(await shown(exception, database), detail) };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/exceptions/:id/propose',
    operation: 'createExceptionResolution',
    permission: 'money:propose',
    summary: 'Propose how an exception is resolved, for another operator to approve',
    description:
      'Nothing is done before another operator approves. An adjustment is carried out by the ledger once for an exception. ' +
      'When a side changes before that, the exception is open again, and what was proposed is not carried out.',
    timeoutMs: decisionTimeoutMs,
    body: resolutionRequestSchema,
    example: { action: 'foreign', note: 'A payment to the shop that has the account with us.' },
    answers: { 202: exceptionWithApprovalSchema },
    refusals: ['INVALID_STATE'],
    handle: async (call, services) => {
      const id = idIn(call, 'exception');
      const { exception, approval } = await proposeExceptionResolution(services, actOf(call), id, call.body);
      return {
        status: 202,
        body: { ...(await shown(exception, services.database)), approval: presentApproval(approval) },
      };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/exceptions/:id/approve',
    operation: 'approveExceptionResolution',
    permission: 'money:decide',
    summary: 'Approve and carry out what another operator proposed for an exception',
    description:
      'Carries out the proposal that `approval_id` names, and no other that has taken its place since it was read; without it, ' +
      'the one that waits. It is the same as approving that approval by its id. Carried out once, also when a process ends in between.',
    timeoutMs: decisionTimeoutMs,
    bodyOptional: true,
    body: exceptionDecisionRequestSchema,
    example: { approval_id: 'apr_01k9z3m4v6t8x0a2c4e6g8jk01', reason: 'seen on the statement of the bank' },
    answers: { 200: exceptionWithApprovalSchema },
    refusals: ['INVALID_STATE', 'INSUFFICIENT_FUNDS'],
    handle: async (call, services) => {
      const decision = await decisionIn(call, services);
      const { approval } = await approve(services, actOf(call), decision);
      return { status: 200, body: { ...approval.outcome, approval: presentApproval(approval) } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/exceptions/:id/reject',
    operation: 'rejectExceptionResolution',
    permission: ['money:propose', 'money:decide'],
    summary: 'End what is proposed for an exception without carrying it out',
    description:
      'Ends the proposal that `approval_id` names, or without it the one that waits: by another operator, or by the one who ' +
      'proposed it. The exception is open again.',
    timeoutMs: decisionTimeoutMs,
    bodyOptional: true,
    body: exceptionDecisionRequestSchema,
    example: { approval_id: 'apr_01k9z3m4v6t8x0a2c4e6g8jk01', reason: 'the line belongs to another payment' },
    answers: { 200: exceptionWithApprovalSchema },
    refusals: ['INVALID_STATE'],
    handle: async (call, services) => {
      const approval = await endProposal(services, actOf(call), await decisionIn(call, services));
      return { status: 200, body: { ...(await reopened(approval, services)), approval: presentApproval(approval) } };
    },
  }),
];

/** @throws NotFoundError, DomainError INVALID_STATE where something else is proposed */
async function decisionIn(
  call: OperatorCall & { readonly body: ExceptionDecisionRequest | null | undefined },
  { bus, database }: OperatorServices,
) {
  const exceptionId = idIn(call, 'exception');
  await callRpc(bus, getException, { id: exceptionId });
  const { approval_id: approvalId, reason = null } = call.body ?? {};
  const { id } = await approvalOfException(database, exceptionId, approvalId ?? undefined);
  return { id, reason };
}

async function reopened({ id: approvalId, target }: Approval, { bus, database }: OperatorServices) {
  return await shown((await callRpc(bus, reopenException, { id: target, approvalId })).exception, database);
}

async function shown(exception: ReconciliationException, database: OperatorServices['database']) {
  const [resource] = await presentExceptions(database, [exception]);
  if (!resource) throw new Error('an exception is not shown');
  return resource;
}
