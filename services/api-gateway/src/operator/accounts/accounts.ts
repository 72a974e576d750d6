import { NotFoundError } from '@gateway/contracts/errors';
import { isId } from '@gateway/money';
import {
  accountPatchSchema,
  accountRequestSchema,
  accountResourceSchema,
  approvalAnswerSchema,
  accountsQuerySchema,
  pageOf,
} from '@gateway/public-api';
import { AccountEntity } from '#src/accounts/account-entity.ts';
import { accountResourceOf, createAccount } from '#src/accounts/create-account.ts';
import { updateAccount } from '#src/accounts/update-account.ts';
import { presentApproval } from '#src/approvals/present-approval.ts';
import { actOf, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { readAccounts } from '#src/operator/read-page.ts';

export const accountEndpoints = [
  operatorEndpoint({
    method: 'POST',
    path: '/ops/accounts',
    summary: 'Set up a merchant account',
    body: accountRequestSchema,
    answers: { 201: accountResourceSchema },
    handle: async (call, { database }) => ({
      status: 201,
      body: await createAccount(database, actOf(call), call.body),
    }),
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/accounts',
    summary: 'List accounts, newest first',
    query: accountsQuerySchema,
    answers: { 200: pageOf(accountResourceSchema) },
    handle: async ({ query }, { database }) => {
      const { rows, nextCursor } = await readAccounts(database, query);
      return { status: 200, body: { data: rows.map(accountResourceOf), next_cursor: nextCursor } };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/accounts/:id',
    summary: 'Read an account',
    answers: { 200: accountResourceSchema },
    handle: async ({ params: { id = '' } }, { database }) => {
      const account = isId('account', id) ? await database.reader().findOne(AccountEntity, { id }) : null;
      if (!account) throw new NotFoundError('account');
      return { status: 200, body: accountResourceOf(account) };
    },
  }),
  operatorEndpoint({
    method: 'PATCH',
    path: '/ops/accounts/:id',
    summary: 'Change the settings of an account; some changes are proposed, for another operator to approve',
    description:
      'Two operators are needed to raise or lift a payout limit, to switch automatic approval on, to lower a fee, and to ' +
      'change or remove a registered document. A body that holds one of these is answered 202 and proposed as a whole; any ' +
      'other is in force at once. Automatic approval off is the switch that holds at every door: from then on each live and ' +
      'test payout of the account, of `/v1` and of every connector, waits for an operator.',
    body: accountPatchSchema,
    answers: { 200: accountResourceSchema, 202: approvalAnswerSchema },
    handle: async (call, { database, directory }) => {
      const { id = '' } = call.params;
      const { reason = null, ...patch } = call.body;
      const updated = await updateAccount(database, directory, actOf(call), { id, patch, reason });
      if ('account' in updated) return { status: 200, body: updated.account };
      return { status: 202, body: { approval: presentApproval(updated.proposal) } };
    },
  }),
];
