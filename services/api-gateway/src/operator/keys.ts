import { z } from 'zod';
import { apiVersionSchema, environmentSchema } from '@gateway/contracts/values';
import { approvalAnswerSchema, keyRequestSchema, keysQuerySchema, pageOf } from '@gateway/public-api';
import { issueTestKey, proposeLiveKey } from '#src/accounts/issue-key.ts';
import { listKeys } from '#src/accounts/list-keys.ts';
import { revokeKey } from '#src/accounts/revoke-key.ts';
import { presentApproval } from '#src/approvals/approval.ts';
import { actOf, operatorEndpoint } from '#src/operator/operator-endpoint.ts';

const keyPairResourceSchema = z.object({ public_key: z.string(), secret_key: z.string() });

const keyResourceSchema = z.object({
  object: z.literal('key'),
  public_key: z.string(),
  environment: environmentSchema,
  api_version: apiVersionSchema,
  name: z.string().nullable(),
  ip_allowlist: z.array(z.string()),
  /** Unix seconds, like those below. */
  created_at: z.int(),
  /** Up to ten seconds behind. */
  last_used_at: z.int().nullable(),
  revoked_at: z.int().nullable(),
  /** Of a live key: until when its secret can be fetched, and when it was. Until then it opens nothing. */
  claim_expires_at: z.int().nullable(),
  claimed_at: z.int().nullable(),
});

export const keyEndpoints = [
  operatorEndpoint({
    method: 'POST',
    path: '/ops/accounts/:id/keys',
    summary: 'Issue a test key pair, whose secret is shown only in this answer; propose a live one',
    description:
      'A live key is answered 202 and issued once another operator has approved it. Its secret is shown to no operator: ' +
      'the approver hands the merchant a link that opens once within 24 hours. The key opens nothing before that, and is ' +
      'revoked when the time is up.',
    body: keyRequestSchema,
    example: { environment: 'test', name: 'till' },
    answers: { 201: keyPairResourceSchema, 202: approvalAnswerSchema },
    handle: async (call, { database }) => {
      const { id: accountId = '' } = call.params;
      const issue = { accountId, request: call.body };
      if (call.body.environment === 'live') {
        const proposal = await proposeLiveKey(database, actOf(call), issue);
        return { status: 202, body: { approval: presentApproval(proposal) } };
      }
      const pair = await issueTestKey(database, actOf(call), issue);
      return { status: 201, body: { public_key: pair.publicKey, secret_key: pair.secretKey } };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/accounts/:id/keys',
    summary: 'List the keys of an account with their last use, newest first; the cursor is a public key',
    query: keysQuerySchema,
    answers: { 200: pageOf(keyResourceSchema) },
    handle: async ({ params: { id: accountId = '' }, query }, { database }) => {
      const { keys, nextCursor } = await listKeys(database, accountId, query);
      return { status: 200, body: { data: keys, next_cursor: nextCursor } };
    },
  }),
  operatorEndpoint({
    method: 'DELETE',
    path: '/ops/keys/:publicKey',
    summary: 'Revoke a key, everywhere within a second',
    answers: { 204: null },
    handle: async (call, { database, directory }) => {
      await revokeKey(database, directory, actOf(call), call.params['publicKey'] ?? '');
      return { status: 204 };
    },
  }),
];
