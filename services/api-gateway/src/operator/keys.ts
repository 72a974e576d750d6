import { z } from 'zod';
import { keyScopeSchema } from '@gateway/contracts/accounts';
import { apiVersionSchema, environmentSchema } from '@gateway/contracts/values';
import {
  approvalAnswerSchema,
  keyAllowlistRequestSchema,
  keyRequestSchema,
  keysQuerySchema,
  objectName,
  text,
  unixSeconds,
} from '@gateway/public-api';
import { proposeAllowlist } from '#src/accounts/assign-allowlist.ts';
import { issueKey, proposeLiveKey } from '#src/accounts/issue-key.ts';
import { listKeys } from '#src/accounts/list-keys.ts';
import { revokeKey } from '#src/accounts/revoke-key.ts';
import { presentApproval } from '#src/approvals/approval.ts';
import { actOf, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { operatorList } from '#src/operator/operator-list.ts';

const keyPairResourceSchema = z
  .object({
    public_key: text('The public key.', 'pk_test_51c9a8e7f0d24b6c'),
    secret_key: text('The secret key, in this answer and in no other.', 'sk_test_…'),
  })
  .meta({ id: 'KeyPair', description: 'A new key pair.' });

const keyResourceSchema = z
  .object({
    object: objectName('key'),
    public_key: text('The public key, by which it is known.', 'pk_test_51c9a8e7f0d24b6c'),
    environment: environmentSchema.describe('The environment that it opens.'),
    api_version: apiVersionSchema.describe('The contract that it speaks when a call names none.'),
    name: text('What the key is for.', 'till').nullable(),
    scopes: z
      .array(keyScopeSchema)
      .meta({ description: 'What it is limited to; null: to nothing.', examples: [['deposits:write']] })
      .nullable(),
    ip_allowlist: z
      .array(z.string())
      .meta({ description: 'The addresses it may be used from; none means any.', examples: [[]] }),
    created_at: unixSeconds('When it was issued.'),
    last_used_at: unixSeconds('When it was last used, up to ten seconds behind.').nullable(),
    revoked_at: unixSeconds('When it was revoked.').nullable(),
    claim_expires_at: unixSeconds('Of a live key: until when its secret can be fetched.').nullable(),
    claimed_at: unixSeconds('Of a live key: when its secret was fetched; before, it opens nothing.').nullable(),
  })
  .meta({ id: 'Key', description: 'A key pair, without its secret.' });

export const keyEndpoints = [
  operatorEndpoint({
    method: 'POST',
    path: '/ops/accounts/:id/keys',
    operation: 'issueKey',
    permission: 'accounts:propose',
    summary: 'Issue a test key pair, whose secret is shown only in this answer; propose a live one',
    description:
      'A live key is answered 202 and issued once another operator has approved it. Its secret is shown to no operator: ' +
      'the approver hands on a link to where an owner or a developer of the account fetches it, once within 24 hours. The key opens nothing before that, and is ' +
      'revoked when the time is up.',
    body: keyRequestSchema,
    example: { environment: 'test', name: 'till' },
    answers: { 201: keyPairResourceSchema, 202: approvalAnswerSchema },
    handle: async (call, { database }) => {
      const { id: accountId = '' } = call.params;
      const { environment } = call.body;
      if (environment === 'live') {
        const proposal = await proposeLiveKey(database, actOf(call), { accountId, request: call.body });
        return { status: 202, body: { approval: presentApproval(proposal) } };
      }
      const pair = await issueKey(database, actOf(call), { accountId, environment, terms: call.body });
      return { status: 201, body: { public_key: pair.publicKey, secret_key: pair.secretKey } };
    },
  }),
  operatorList({
    path: '/ops/accounts/:id/keys',
    operation: 'listKeys',
    permission: 'accounts:read',
    summary: 'List the keys of an account with their last use, newest first; the cursor is a public key',
    description:
      'Answers with the keys of an account, newest first, with their last use and without their secrets. The ' +
      'cursor of this list is a public key.',
    query: keysQuerySchema,
    name: 'keys',
    schema: keyResourceSchema,
    page: async ({ params: { id: accountId = '' }, query }, { database }, page) => {
      const { keys, nextCursor } = await listKeys(database, accountId, { ...query, ...page });
      return { data: keys, nextCursor };
    },
  }),
  operatorEndpoint({
    method: 'PUT',
    path: '/ops/keys/:publicKey/allowlist',
    operation: 'replaceKeyAllowlist',
    permission: ['accounts:propose', 'accounts:decide'],
    summary: 'Propose another allowlist for a key, for another operator to approve',
    description:
      'For an account that is locked out of its own key, and has no person who could sign in and change that. Nothing changes before ' +
      'another operator approves it; then it is in force everywhere within a second. No entries lift the restriction.',
    refusals: ['NOT_FOUND', 'INVALID_STATE', 'LIMIT_REACHED'],
    body: keyAllowlistRequestSchema,
    example: { entries: [], reason: 'The addresses of the merchant have changed, confirmed by phone.' },
    answers: { 202: approvalAnswerSchema },
    handle: async (call, { database }) => {
      const wanted = { publicKey: call.params['publicKey'] ?? '', ...call.body };
      const proposal = await proposeAllowlist(database, actOf(call), wanted);
      return { status: 202, body: { approval: presentApproval(proposal) } };
    },
  }),
  operatorEndpoint({
    method: 'DELETE',
    path: '/ops/keys/:publicKey',
    operation: 'revokeKey',
    permission: 'operations:write',
    summary: 'Revoke a key, everywhere within a second',
    description:
      'Ends a key everywhere within a second, with all tokens of the connector that came from it. It cannot be ' +
      'undone: issue a new key.',
    answers: { 204: null },
    handle: async (call, { database, directory }) => {
      await revokeKey(database, directory, actOf(call), { publicKey: call.params['publicKey'] ?? '' });
      return { status: 204 };
    },
  }),
];
