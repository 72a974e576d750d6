import { z } from 'zod';
import { listTreasuryOrders, listUncovered } from '@gateway/contracts/conversions';
import { callRpc } from '@gateway/messaging';
import {
  approvalAnswerSchema,
  coverRequestSchema,
  csvQuery,
  presentTreasuryOrder,
  presentUncovered,
  secondsOfPeriod,
  treasuryOrderResourceSchema,
  treasuryOrdersQuerySchema,
  uncoveredResourceSchema,
} from '@gateway/public-api';
import { presentApproval } from '#src/approvals/approval.ts';
import { actOf, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { operatorList } from '#src/operator/operator-list.ts';
import { proposeCoverByHand } from '#src/proposals/cover-by-hand.ts';

export const treasuryEndpoints = [
  operatorList({
    path: '/ops/conversions/uncovered',
    operation: 'listUncoveredConversions',
    permission: 'operations:read',
    summary: 'List what live conversions owe in USDT, by currency',
    description:
      'Answers with what live conversions from each currency owe and has not been bought, the order that is open for ' +
      'it, and why nothing is ordered where the market of the exchange is outside of the bounds.',
    query: z.strictObject(csvQuery),
    name: 'uncovered-conversions',
    schema: uncoveredResourceSchema,
    page: async (_call, { bus }) => {
      const { positions } = await callRpc(bus, listUncovered, {});
      return { data: positions.map(presentUncovered), nextCursor: null };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/conversions/uncovered/cover',
    operation: 'coverConversions',
    permission: 'money:propose',
    summary: 'Propose that the USDT of conversions was bought by hand, for another operator to approve',
    description:
      'Of all conversions from the currency that are not covered now. When another operator approves, they are covered; ' +
      'nothing is booked, and nothing is ordered for them. It is refused while an order is open for the currency, and ' +
      'has to be proposed again when some of them were covered in the meantime.',
    body: coverRequestSchema,
    example: { currency: 'BRL', reason: 'bought at the desk of the bank' },
    answers: { 202: approvalAnswerSchema },
    refusals: ['INVALID_STATE'],
    handle: async (call, services) => {
      const approval = await proposeCoverByHand(services, actOf(call), call.body);
      return { status: 202, body: { approval: presentApproval(approval) } };
    },
  }),
  operatorList({
    path: '/ops/conversions/orders',
    operation: 'listTreasuryOrders',
    permission: 'operations:read',
    summary: 'List the orders for USDT at exchanges, newest first',
    description: 'Answers with the orders that were made for live conversions. Every filter that is given has to hold.',
    query: treasuryOrdersQuerySchema,
    name: 'treasury-orders',
    schema: treasuryOrderResourceSchema,
    page: async ({ query: { venue, currency, state, result, ...period } }, { bus }, page) => {
      const filter = { venue, currency, state, result, ...secondsOfPeriod(period) };
      const { orders, nextCursor } = await callRpc(bus, listTreasuryOrders, { ...filter, ...page });
      return { data: orders.map(presentTreasuryOrder), nextCursor };
    },
  }),
];
