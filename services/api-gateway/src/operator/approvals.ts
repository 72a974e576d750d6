import { NotFoundError } from '@gateway/contracts/errors';
import {
  approvalAnswerSchema,
  approvalResourceSchema,
  approvalsQuerySchema,
  decisionRequestSchema,
} from '@gateway/public-api';
import { ApprovalEntity, presentApprovalTo } from '#src/approvals/approval.ts';
import { approve, endProposal, isWithinReach } from '#src/approvals/decide-approval.ts';
import { actOf, idIn, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { operatorList } from '#src/operator/operator-list.ts';
import { readApprovals } from '#src/operator/read-page.ts';

/** The answer waits for the ledger, or for the service that makes the change. */
const decisionTimeoutMs = 10_000;

const endingPermissions = {
  refuse: ['money:decide', 'accounts:decide'],
  withdraw: ['money:propose', 'accounts:propose'],
  reject: ['money:propose', 'money:decide', 'accounts:propose', 'accounts:decide'],
} as const;

export const approvalEndpoints = [
  operatorList({
    path: '/ops/approvals',
    operation: 'listApprovals',
    permission: 'records:read',
    summary: 'List changes that take two operators, newest first',
    description:
      'Answers with what operators proposed, newest first. `state=PROPOSED` is the queue of what waits for a ' +
      'second operator.',
    query: approvalsQuerySchema,
    name: 'approvals',
    schema: approvalResourceSchema,
    reads: 'approval.list',
    page: async ({ query, operator }, { database, rules }, page) => {
      const { rows, nextCursor } = await readApprovals(database, { ...query, ...page });
      return { data: rows.map((approval) => presentApprovalTo(operator, approval, rules)), nextCursor };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/approvals/:id',
    operation: 'getApproval',
    permission: 'records:read',
    summary: 'Read an approval',
    description: 'Answers with one proposal: what it would change, who proposed it and why, and what became of it.',
    answers: { 200: approvalAnswerSchema },
    reads: 'approval.read',
    handle: async (call, { database, rules }) => {
      const approval = await database.reader().findOne(ApprovalEntity, { id: idIn(call, 'approval') });
      if (!approval || !isWithinReach({}, approval)) throw new NotFoundError('approval');
      return { status: 200, body: { approval: presentApprovalTo(call.operator, approval, rules) } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/approvals/:id/approve',
    operation: 'approveApproval',
    permission: ['money:decide', 'accounts:decide'],
    summary: 'Approve and carry out what another operator proposed',
    description:
      'Only by another operator than the proposer, who gets 409 `SECOND_PERSON_REQUIRED`. `outcome` is what the operation ' +
      'would have answered. Of a live key, the approving operator alone sees the link by which its merchant fetches the ' +
      'secret, once and within 24 hours. When another service does not answer, the approval stays APPLYING and is ' +
      'carried out once that service is back.',
    timeoutMs: decisionTimeoutMs,
    body: decisionRequestSchema,
    bodyOptional: true,
    example: { reason: 'seen on the statement of 2 January' },
    answers: { 200: approvalAnswerSchema },
    handle: async (call, services) => {
      const decision = { id: idIn(call, 'approval'), reason: call.body?.reason ?? null };
      const { approval, shownOnce } = await approve(services, actOf(call), decision);
      const shown = presentApprovalTo(call.operator, approval, services.rules, shownOnce);
      return { status: 200, body: { approval: shown } };
    },
  }),
  ending('refuse', 'Refuse what another operator proposed; it is carried out no more', 'refuse'),
  ending('withdraw', 'Withdraw a proposal of your own; it is carried out no more', 'withdraw'),
  ending('reject', 'Refuse a proposal, or withdraw it if it is your own: the earlier name of both'),
];

function ending(name: keyof typeof endingPermissions, summary: string, wanted?: 'refuse' | 'withdraw') {
  return operatorEndpoint({
    method: 'POST',
    path: `/ops/approvals/:id/${name}`,
    operation: `${name}Approval`,
    permission: endingPermissions[name],
    summary,
    description:
      'Ends a proposal without carrying it out; nothing changes. The reason is kept for the other operators.',
    body: decisionRequestSchema,
    bodyOptional: true,
    example: { reason: 'the merchant asked for another' },
    answers: { 200: approvalAnswerSchema },
    handle: async (call, services) => {
      const decision = { id: idIn(call, 'approval'), reason: call.body?.reason ?? null };
      const approval = await endProposal(services, actOf(call), decision, wanted);
      return { status: 200, body: { approval: presentApprovalTo(call.operator, approval, services.rules) } };
    },
  });
}
