import { NotFoundError } from '@gateway/contracts/errors';
import { listLines, listStatementDays } from '@gateway/contracts/reconciler';
import { callRpc } from '@gateway/messaging';
import {
  approvalAnswerSchema,
  closeStatementDayRequestSchema,
  linesQuerySchema,
  presentProviderLine,
  presentStatementDay,
  providerLineResourceSchema,
  statementDayResourceSchema,
  statementDaysQuerySchema,
} from '@gateway/public-api';
import { presentApproval } from '#src/approvals/approval.ts';
import { actOf, operatorEndpoint, type OperatorCall } from '#src/operator/operator-endpoint.ts';
import { operatorList } from '#src/operator/operator-list.ts';
import { proposeClosing } from '#src/proposals/close-statement-day.ts';

export const statementDayEndpoints = [
  operatorList({
    path: '/ops/lines',
    operation: 'listLines',
    permission: 'operations:read',
    summary: "List the lines of the providers' statements",
    description:
      'Answers with lines as the providers wrote them, in the order of provider, currency and key, each with what it was ' +
      'found to be about. Every filter that is given has to hold.',
    query: linesQuerySchema,
    name: 'lines',
    schema: providerLineResourceSchema,
    reads: 'line.list',
    page: async ({ query: { provider, state, e2e_id: e2eId, amount_cents: amount } }, { bus }, page) => {
      const { lines, nextCursor } = await callRpc(bus, listLines, { provider, state, e2eId, amount, ...page });
      return { data: lines.map(presentProviderLine), nextCursor };
    },
  }),
  operatorList({
    path: '/ops/statement-days',
    operation: 'listStatementDays',
    permission: 'operations:read',
    summary: "List the days of the providers' accounts, newest first",
    description:
      'Answers with the days that are closed, and of each account the one that is closed next as it stands. Days are closed ' +
      'at 04:00 of the next one (São Paulo), when their statement was read to the end and agrees with what the provider holds.',
    query: statementDaysQuerySchema,
    name: 'statement-days',
    schema: statementDayResourceSchema,
    page: async ({ query: { provider } }, { bus }, page) => {
      const { days, nextCursor } = await callRpc(bus, listStatementDays, { provider, ...page });
      return { data: days.map(presentStatementDay), nextCursor };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/statement-days/:provider/:currency/:day/close',
    operation: 'closeStatementDay',
    permission: 'money:propose',
    summary: "Propose that a day of a provider's account is closed as it stands, for another operator to approve",
    description:
      'For a day that does not close by itself: its difference to what the provider holds, and what is not explained, stay ' +
      'to be read in it. Another operator has to approve it. A closed day never changes; what comes for it belongs to the ' +
      'next one. Days are closed in their order.',
    body: closeStatementDayRequestSchema,
    example: { reason: 'The bank has confirmed that its statement of the day is complete.' },
    answers: { 202: approvalAnswerSchema },
    refusals: ['INVALID_STATE'],
    handle: async (call, { bus, database }) => {
      const approval = await proposeClosing({ database, bus }, actOf(call), dayIn(call), call.body.reason);
      return { status: 202, body: { approval: presentApproval(approval) } };
    },
  }),
];

/** @throws NotFoundError */
function dayIn({ params: { provider = '', currency = '', day = '' } }: OperatorCall) {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day));
  if (!isDay || !/^[\w-]{1,60}$/.test(provider) || !/^[A-Z]{3,5}$/.test(currency))
    throw new NotFoundError('statement day');
  return { provider, currency, day };
}
