import {
  listOperatorRefunds,
  operatorRefundResourceSchema,
  operatorRefundsQuerySchema,
  pageOf,
  presentOperatorRefund,
} from '@gateway/contracts';
import { callRpc } from '@gateway/service-kit';
import { operatorEndpoint } from '#src/operator-api/operator-endpoint.ts';

export const refundEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/refunds',
    summary: 'List the refunds of all accounts, newest first',
    query: operatorRefundsQuerySchema,
    answers: { 200: pageOf(operatorRefundResourceSchema) },
    handle: async ({ query: { account_id: accountId, ...query } }, { bus }) => {
      const { refunds, nextCursor } = await callRpc(bus, listOperatorRefunds, { ...query, accountId });
      return { status: 200, body: { data: refunds.map(presentOperatorRefund), next_cursor: nextCursor } };
    },
  }),
];
