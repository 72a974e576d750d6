import { z } from 'zod';
import { apiVersionSchema, environmentSchema, keyRequestSchema, keysQuerySchema, pageOf } from '@gateway/contracts';
import { issueKey } from '#src/keys/issue-key.ts';
import { listKeys } from '#src/keys/list-keys.ts';
import { revokeKey } from '#src/keys/revoke-key.ts';
import { actOf, operatorEndpoint } from '#src/operator-api/operator-endpoint.ts';

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
});

export const keyEndpoints = [
  operatorEndpoint({
    method: 'POST',
    path: '/ops/accounts/:id/keys',
    summary: 'Issue a key pair; the secret is in this answer and nowhere else',
    body: keyRequestSchema,
    answers: { 201: keyPairResourceSchema },
    handle: async (call, { database }) => {
      const { id: accountId = '' } = call.params;
      const pair = await issueKey(database, actOf(call), { accountId, request: call.body });
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
