import { getPending } from '@gateway/contracts/ledger';
import type { Environment } from '@gateway/contracts/values';
import { callRpc } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import {
  operatorBalanceQuerySchema,
  operatorPendingQuerySchema,
  operatorReceiptQuerySchema,
  operatorTransactionsQuerySchema,
  pendingResourceSchema,
  presentPending,
  receiptPendingSchema,
  shownSchemas,
} from '@gateway/public-api';
import { idIn, operatorEndpoint, type OperatorCall } from '#src/operator/operator-endpoint.ts';
import { requireAccount } from '#src/operator/require-account.ts';
import { answerBalance } from '#src/statements/balance-answer.ts';
import type { Owner } from '#src/statements/entry-details.ts';
import { csvMedia } from '#src/statements/list-answer.ts';
import { answerReceipt, receiptMedia } from '#src/statements/receipt-answer.ts';
import { answerTransactions, transactionsSchema } from '#src/statements/transactions-answer.ts';

/** Operators see every currency, and each amount with its currency. */
const apiVersion = '1.0';

const accountBalanceSchema = shownSchemas.balance[apiVersion].meta({
  id: 'AccountBalance',
  description: 'The balances of an account.',
  examples: [{ brl: { available: 194_000, pending: 1_940, blocked: 500, total: 196_440 } }],
});

/** The money of one merchant account, as the merchant sees it. */
export const accountMoneyEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/accounts/:id/balance',
    operation: 'getAccountBalance',
    permission: 'balances:read',
    summary: 'Read the balances of an account, or with `at` the available balances as they stood then',
    description:
      'Answers as the merchant reads it in contract 1.0: a member for each currency that the account has operated.',
    query: operatorBalanceQuerySchema,
    answers: { 200: accountBalanceSchema },
    handle: async (call, { bus, database }) => {
      const owner = await ownerOf(database, call, call.query.environment);
      return await answerBalance({ ...call, apiVersion }, owner, bus);
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/accounts/:id/transactions',
    operation: 'listAccountTransactions',
    permission: 'balances:read',
    summary: 'List the ledger entries of an account, newest first, as JSON, CSV or accounting statement',
    description:
      'Answers with every movement of the available balance of an account, in the forms that the merchant reads: a page of ' +
      'JSON, the whole list as CSV, or with `format=accounting` the accounting statement.',
    query: operatorTransactionsQuerySchema,
    answers: { 200: transactionsSchema[apiVersion] },
    otherMedia: csvMedia,
    reads: ({ format }) => (format === 'accounting' ? 'account.statement' : undefined),
    handle: async (call, services) => {
      const owner = await ownerOf(services.database, call, call.query.environment);
      return await answerTransactions({ ...call, apiVersion, isCounted: true }, owner, services);
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/accounts/:id/transactions/:entry/receipt',
    operation: 'getAccountTransactionReceipt',
    permission: 'balances:read',
    summary: 'Read the receipt of a ledger entry of an account',
    description:
      'Answers with the receipt as the merchant reads it, for `examples/verify-receipt`. 202 with Retry-After until a ' +
      'checkpoint has the entry.',
    query: operatorReceiptQuerySchema,
    answers: { 200: null, 202: receiptPendingSchema },
    otherMedia: receiptMedia,
    handle: async (call, { bus, database }) => {
      const owner = await ownerOf(database, call, call.query.environment);
      return await answerReceipt(bus, owner, call.params['entry'] ?? '');
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/accounts/:id/pending',
    operation: 'getAccountPendingBalance',
    permission: 'balances:read',
    summary: 'Read what is pending of an account, by the day on which it becomes available',
    description: 'Answers with one row for each day and currency; its amounts add up to `pending` of the balance.',
    query: operatorPendingQuerySchema,
    answers: { 200: pendingResourceSchema },
    handle: async (call, { bus, database }) => {
      const { environment, ...query } = call.query;
      const owner = await ownerOf(database, call, environment);
      return { status: 200, body: presentPending(await callRpc(bus, getPending, { ...owner, ...query })) };
    },
  }),
];

/** @throws NotFoundError */
async function ownerOf(database: Database, call: OperatorCall, environment: Environment): Promise<Owner> {
  const accountId = idIn(call, 'account');
  await requireAccount(database, accountId);
  return { environment, accountId };
}
