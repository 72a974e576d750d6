import { z } from 'zod';
import { getOperatorDeposit, listOperatorDeposits } from '@gateway/contracts/deposits';
import { callRpc } from '@gateway/messaging';
import {
  operatorDepositResourceSchema,
  operatorDepositsQuerySchema,
  operatorDepositWithPaymentsSchema,
  pageOf,
  presentOperatorDeposit,
  presentOperatorDepositWithPayments,
  recordFilterOf,
} from '@gateway/public-api';
import { idIn, operatorEndpoint } from '#src/operator/operator-endpoint.ts';

export const depositEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/deposits',
    summary: 'List the deposits of all accounts, newest first',
    query: operatorDepositsQuerySchema,
    answers: { 200: pageOf(operatorDepositResourceSchema) },
    handle: async ({ query }, { bus }) => {
      const { limit, cursor, status, payer_document: payerDocument } = query;
      const request = { limit, cursor, ...recordFilterOf(query), status, payerDocument };
      const { deposits, nextCursor } = await callRpc(bus, listOperatorDeposits, request);
      return { status: 200, body: { data: deposits.map(presentOperatorDeposit), next_cursor: nextCursor } };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/deposits/:id',
    summary: 'Read a deposit of any account, with all that arrived for it',
    answers: { 200: z.object({ deposit: operatorDepositWithPaymentsSchema }) },
    handle: async (call, { bus }) => {
      const found = await callRpc(bus, getOperatorDeposit, { id: idIn(call, 'deposit') });
      return { status: 200, body: { deposit: presentOperatorDepositWithPayments(found) } };
    },
  }),
];
