import {
  integrationRequestSchema,
  integrationResourceSchema,
  presentIntegration,
  integrationsQuerySchema,
  listIntegrations,
  removeIntegration,
  setIntegration,
} from '@gateway/contracts/connector';
import { NotFoundError } from '@gateway/contracts/errors';
import { callRpc } from '@gateway/messaging';
import { isId } from '@gateway/money';
import {
  accountPatchSchema,
  accountRequestSchema,
  accountResourceSchema,
  accountsQuerySchema,
  approvalAnswerSchema,
  csvQuery,
  freezeRequestSchema,
  unfreezeRequestSchema,
} from '@gateway/public-api';
import { AccountEntity } from '#src/accounts/account.ts';
import { accountResourceOf, createAccount, updateAccount } from '#src/accounts/change-account.ts';
import { freezeAccount, proposeUnfreezing } from '#src/accounts/freeze-account.ts';
import { presentApproval } from '#src/approvals/approval.ts';
import { auditAcross } from '#src/approvals/audit.ts';
import { actOf, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { operatorList } from '#src/operator/operator-list.ts';
import { readAccounts } from '#src/operator/read-page.ts';
import { requireAccount } from '#src/operator/require-account.ts';
import { proposeIntegration, widensAddresses } from '#src/proposals/restrict-integration.ts';

export const accountEndpoints = [
  operatorEndpoint({
    method: 'POST',
    path: '/ops/accounts',
    operation: 'createAccount',
    permission: 'accounts:propose',
    summary: 'Create a merchant account',
    description:
      'Makes an account, in force at once and without keys; issue them with `POST /ops/accounts/{id}/keys`. ' +
      'Names need not be unique: a second call makes a second account.',
    body: accountRequestSchema,
    example: { name: 'Loja Um', fees: { deposit: { fixed_cents: 10, bps: 99 } }, retention_days: 0 },
    answers: { 201: accountResourceSchema },
    handle: async (call, { database }) => ({
      status: 201,
      body: await createAccount(database, actOf(call), call.body),
    }),
  }),
  operatorList({
    path: '/ops/accounts',
    operation: 'listAccounts',
    permission: 'records:read',
    summary: 'List accounts, newest first',
    description: 'Answers with the accounts, newest first; the filters narrow the list together.',
    query: accountsQuerySchema,
    name: 'accounts',
    schema: accountResourceSchema,
    reads: 'account.list',
    page: async ({ query }, { database }, page) => {
      const { rows, nextCursor } = await readAccounts(database, { ...query, ...page });
      return { data: rows.map(accountResourceOf), nextCursor };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/accounts/:id',
    operation: 'getAccount',
    permission: 'records:read',
    summary: 'Read an account',
    description: 'Answers with an account and its settings.',
    answers: { 200: accountResourceSchema },
    reads: 'account.read',
    handle: async ({ params: { id = '' } }, { database }) => {
      const account = isId('account', id) ? await database.reader().findOne(AccountEntity, { id }) : null;
      if (!account) throw new NotFoundError('account');
      return { status: 200, body: accountResourceOf(account) };
    },
  }),
  operatorEndpoint({
    method: 'PATCH',
    path: '/ops/accounts/:id',
    operation: 'updateAccount',
    permission: ['accounts:propose', 'operations:write'],
    summary: 'Change the settings of an account; some changes are proposed, for another operator to approve',
    description:
      'Two operators are needed to raise or lift a payout limit, to switch automatic approval on, to lower a fee, and to ' +
      'change or remove a registered document. A body that holds one of these is answered 202 and proposed as a whole; any ' +
      'other is in force at once. Automatic approval off is the switch that holds for every interface: from then on each live and ' +
      'test payout of the account, of `/v1` and of every connector, waits for an operator.',
    body: accountPatchSchema,
    example: { auto_approve_payouts: false },
    answers: { 200: accountResourceSchema, 202: approvalAnswerSchema },
    handle: async (call, { database, directory }) => {
      const { id = '' } = call.params;
      const { reason = null, ...patch } = call.body;
      const updated = await updateAccount(database, directory, actOf(call), { id, patch, reason });
      if ('account' in updated) return { status: 200, body: updated.account };
      return { status: 202, body: { approval: presentApproval(updated.proposal) } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/accounts/:id/freeze',
    operation: 'freezeAccount',
    permission: 'operations:write',
    summary: 'Freeze an account, or one environment of it, at once',
    description:
      'At `payouts` nothing takes money out of its balance: payouts, settlements, refunds and conversions are refused, and ' +
      'payouts that wait for approval cannot be approved. At `writes` the merchant changes nothing at all. A refused call is ' +
      '403 `ACCOUNT_FROZEN`, of `/v1` and of every connector, within a second in every process. Reading, webhooks, ' +
      'credits, and payouts and refunds under way go on. Another call replaces the reason and may raise the level; ' +
      'lowering or lifting it takes two operators.',
    body: freezeRequestSchema,
    example: { level: 'payouts', reason: 'payouts to accounts the merchant does not know' },
    answers: { 200: accountResourceSchema },
    refusals: ['NOT_FOUND', 'INVALID_STATE'],
    handle: async (call, { database, directory }) => {
      const { id = '' } = call.params;
      return { status: 200, body: await freezeAccount(database, directory, actOf(call), { id, ...call.body }) };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/accounts/:id/unfreeze',
    operation: 'unfreezeAccount',
    permission: 'accounts:propose',
    summary: 'Propose to lift the freeze of an account, for another operator to approve',
    description: 'Carried out only as long as the freeze is the one that was proposed to be lifted.',
    body: unfreezeRequestSchema,
    example: { reason: 'the merchant has changed its keys' },
    answers: { 202: approvalAnswerSchema },
    refusals: ['NOT_FOUND', 'INVALID_STATE'],
    handle: async (call, { database }) => {
      const { id = '' } = call.params;
      const proposal = await proposeUnfreezing(database, actOf(call), { id, ...call.body });
      return { status: 202, body: { approval: presentApproval(proposal) } };
    },
  }),
];

export const integrationEndpoints = [
  operatorEndpoint({
    method: 'POST',
    path: '/ops/compat/integrations',
    operation: 'setConnectorIntegration',
    permission: 'accounts:propose',
    summary: 'Replace the restrictions of an account on one connector prefix',
    description:
      'It restricts calls below that prefix, and nothing else: any key pair of the account may authenticate on any prefix, ' +
      'so `payouts_enabled: false` at `alt` leaves `/compat/cli`, `/cli` and `/v1` as they are. To hold the payouts of an ' +
      'account on every interface, switch its automatic approval off (`PATCH /ops/accounts/{id}`): each of them then waits for ' +
      'an operator. To shut out a key that was stolen, revoke it (`DELETE /ops/keys/{public_key}`). A list that lets a key of ' +
      'the account in from more addresses than before is answered 202 and takes another operator.',
    body: integrationRequestSchema,
    example: { account_id: 'acc_01k9z3m4v6t8x0a2c4e6g8jk01', prefix: 'alt', ip_allowlist: ['203.0.113.7'] },
    answers: { 201: integrationResourceSchema, 202: approvalAnswerSchema },
    refusals: ['NOT_FOUND'],
    handle: async (call, { bus, database }) => {
      const { account_id: accountId, prefix, ip_allowlist: ipAllowlist, payouts_enabled: payoutsEnabled } = call.body;
      await requireAccount(database, accountId);
      const restrictions = { ip_allowlist: ipAllowlist, payouts_enabled: payoutsEnabled };
      const wanted = { account_id: accountId, prefix, restrictions };
      if (await widensAddresses({ bus, database }, wanted)) {
        const approval = await proposeIntegration({ bus, database }, actOf(call), wanted);
        return { status: 202, body: { approval: presentApproval(approval) } };
      }
      const request = { accountId, prefix, ipAllowlist, payoutsEnabled };
      const change = { action: 'integration.set', target: `${accountId}/${prefix}` } as const;
      const { after } = await auditAcross(database, actOf(call), change, async () => {
        const { before, integration } = await callRpc(bus, setIntegration, request);
        const made = presentIntegration(integration);
        return { before: before && presentIntegration(before), after: made, target: made.id };
      });
      return { status: 201, body: after };
    },
  }),
  operatorList({
    path: '/ops/compat/integrations',
    operation: 'listConnectorIntegrations',
    permission: 'accounts:read',
    summary: 'List the restrictions of accounts on connectors',
    description: 'By account and connector, in one page. An account that is not listed has no restrictions.',
    query: integrationsQuerySchema.extend(csvQuery),
    name: 'integrations',
    schema: integrationResourceSchema,
    page: async ({ query: { account_id: accountId, prefix } }, { bus }) => {
      const { integrations } = await callRpc(bus, listIntegrations, { accountId, prefix });
      return { data: integrations.map(presentIntegration), nextCursor: null };
    },
  }),
  operatorEndpoint({
    method: 'DELETE',
    path: '/ops/compat/integrations',
    operation: 'deleteConnectorIntegration',
    permission: 'accounts:propose',
    summary: 'Lift the restrictions of an account on one connector prefix',
    description:
      'From then on the account calls that prefix as it calls any other. Both parameters are required. Where the restrictions ' +
      'have addresses, it is answered 202 and takes another operator.',
    query: integrationsQuerySchema.required(),
    answers: { 202: approvalAnswerSchema, 204: null },
    refusals: ['NOT_FOUND'],
    handle: async (call, { bus, database }) => {
      const { account_id: accountId, prefix } = call.query;
      const wanted = { account_id: accountId, prefix, restrictions: null };
      if (await widensAddresses({ bus, database }, wanted)) {
        const approval = await proposeIntegration({ bus, database }, actOf(call), wanted);
        return { status: 202, body: { approval: presentApproval(approval) } };
      }
      const change = { action: 'integration.remove', target: `${accountId}/${prefix}` } as const;
      await auditAcross(database, actOf(call), change, async () => {
        const { before } = await callRpc(bus, removeIntegration, { accountId, prefix });
        // Null would be what a call leaves that never came back.
        return { before: presentIntegration(before), after: { removed: true }, target: before.id };
      });
      return { status: 204 };
    },
  }),
];
