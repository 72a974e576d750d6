import { z } from 'zod';
import { getOperatorDeposit, listOperatorDeposits, lookUpDeposit } from '@gateway/contracts/deposits';
import { callRpc } from '@gateway/messaging';
import {
  operatorDepositResourceSchema,
  operatorDepositsQuerySchema,
  operatorDepositWithPaymentsSchema,
  presentOperatorDeposit,
  presentOperatorDepositWithPayments,
  recordAnswer,
  recordAnswerSchema,
  recordFilterOf,
} from '@gateway/public-api';
import { auditAcross } from '#src/approvals/audit.ts';
import { actOf, idIn, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { operatorList } from '#src/operator/operator-list.ts';

/** The provider is asked, and then the ledger credits. */
const lookUpTimeoutMs = 12_000;

const answerSchema = recordAnswerSchema('deposit', operatorDepositWithPaymentsSchema, 'OperatorDeposit');

const lookUpSchema = z
  .object({
    before: operatorDepositResourceSchema.describe('The deposit before the provider was asked.'),
    deposit: operatorDepositResourceSchema.describe('The deposit as it is now.'),
  })
  .meta({ id: 'DepositLookUp', description: 'What the provider changed.' });

export const depositEndpoints = [
  operatorList({
    path: '/ops/deposits',
    operation: 'listDeposits',
    permission: 'records:read',
    summary: 'List the deposits of all accounts, newest first',
    description: 'Answers with the deposits of all accounts, newest first. Every filter that is given has to hold.',
    query: operatorDepositsQuerySchema,
    name: 'deposits',
    schema: operatorDepositResourceSchema,
    reads: 'deposit.list',
    page: async ({ query }, { bus }, page) => {
      const { status, payer_document: payerDocument } = query;
      const filter = { ...recordFilterOf(query), status, payerDocument };
      const { deposits, nextCursor } = await callRpc(bus, listOperatorDeposits, { ...filter, ...page });
      return { data: deposits.map(presentOperatorDeposit), nextCursor };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/deposits/:id',
    operation: 'getDeposit',
    permission: 'records:read',
    summary: 'Read a deposit of any account, with all that arrived for it',
    description:
      'Answers with a deposit, its provider and the references there, every payment that arrived for it, and on SPEI the ' +
      'transfers that make it up.',
    answers: { 200: answerSchema },
    reads: 'deposit.read',
    handle: async (call, { bus }) => {
      const found = await callRpc(bus, getOperatorDeposit, { id: idIn(call, 'deposit') });
      return { status: 200, body: recordAnswer('deposit', presentOperatorDepositWithPayments(found)) };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/deposits/:id/look-up',
    operation: 'retryDepositLookup',
    permission: 'operations:write',
    summary: 'Ask the provider of a deposit for its payments now, and credit what is not on record',
    description: 'Asks the provider now what became of the charge, and answers with the deposit before and after it.',
    timeoutMs: lookUpTimeoutMs,
    answers: { 200: lookUpSchema },
    refusals: ['PROVIDER_UNAVAILABLE'],
    handle: async (call, { bus, database }) => {
      const id = idIn(call, 'deposit');
      const change = { action: 'deposit.look-up', target: id } as const;
      const { before, after } = await auditAcross(database, actOf(call), change, async () => {
        const found = await callRpc(bus, lookUpDeposit, { id });
        return { before: presentOperatorDeposit(found.before), after: presentOperatorDeposit(found.deposit) };
      });
      return { status: 200, body: { before, deposit: after } };
    },
  }),
];
