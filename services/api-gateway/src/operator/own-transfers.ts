import { approvalAnswerSchema, ownTransferRequestSchema } from '@gateway/public-api';
import { presentApproval } from '#src/approvals/approval.ts';
import { actOf, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { proposeOwnTransfer } from '#src/proposals/declare-own-transfer.ts';

export const ownTransferEndpoints = [
  operatorEndpoint({
    method: 'POST',
    path: '/ops/own-transfers',
    operation: 'createOwnTransfer',
    permission: 'money:propose',
    summary: 'Propose that money of our own which moved at a provider is booked, for another operator to approve',
    description:
      'A top-up of an account at a live provider, or what was taken out of it. When another operator approves, the ledger ' +
      'books it between the account of the provider and `own-funds`, once. It is explained by the line that `line_id` names, ' +
      'or, once the statement has it, by the only line of that amount which has the `reference`.',
    body: ownTransferRequestSchema,
    example: {
      ...{ provider: 'efi', currency: 'BRL', amount_cents: 500_000, reference: 'E12345678202601021004abcdef12345' },
      reason: 'float for the payouts of the weekend',
    },
    answers: { 202: approvalAnswerSchema },
    refusals: ['INVALID_STATE'],
    handle: async (call, services) => {
      const approval = await proposeOwnTransfer(services, actOf(call), call.body);
      return { status: 202, body: { approval: presentApproval(approval) } };
    },
  }),
];
