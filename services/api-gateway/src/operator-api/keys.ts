import { z } from 'zod';
import { keyRequestSchema } from '@gateway/contracts';
import { issueKey } from '#src/keys/issue-key.ts';
import { revokeKey } from '#src/keys/revoke-key.ts';
import { actOf, operatorEndpoint } from '#src/operator-api/operator-endpoint.ts';

const keyPairResourceSchema = z.object({ public_key: z.string(), secret_key: z.string() });

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
