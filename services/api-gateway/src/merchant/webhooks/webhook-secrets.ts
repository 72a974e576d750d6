import { rotateCallbackSecret, rotateWebhookSecret } from '@gateway/contracts/webhooks';
import { rotateSecretRequestSchema, secretResourceSchema } from '@gateway/public-api';
import { callRpc } from '@gateway/messaging';
import { idIn, merchantEndpoint, ownerOf } from '#src/merchant/merchant-endpoint.ts';

const overlapSecDefault = 86_400;

export const webhookSecretEndpoints = [
  merchantEndpoint({
    method: 'POST',
    path: '/v1/webhooks/:id/rotate-secret',
    summary: 'Replace the signing secret; until the overlap ends deliveries carry both signatures',
    body: rotateSecretRequestSchema,
    answers: { 200: secretResourceSchema },
    handle: async (call, { bus }) => {
      const overlapSec = call.body?.overlap_sec ?? overlapSecDefault;
      const request = { ...ownerOf(call), id: idIn(call, 'webhook'), overlapSec };
      const { secret } = await callRpc(bus, rotateWebhookSecret, request);
      return { status: 200, body: { secret } };
    },
  }),
  merchantEndpoint({
    method: 'POST',
    path: '/v1/account/callback-secret',
    summary: "Issue the secret that signs the events sent to deposits' callback URLs; it replaces the last",
    answers: { 201: secretResourceSchema },
    handle: async (call, { bus }) => {
      const { secret } = await callRpc(bus, rotateCallbackSecret, ownerOf(call));
      return { status: 201, body: { secret } };
    },
  }),
];
