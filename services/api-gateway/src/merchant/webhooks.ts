import {
  deleteWebhook,
  getWebhook,
  registerWebhook,
  rotateCallbackSecret,
  rotateWebhookSecret,
  updateWebhook,
} from '@gateway/contracts/webhooks';
import { callRpc } from '@gateway/messaging';
import {
  pageOf,
  presentWebhook,
  rotateSecretRequestSchema,
  secretResourceSchema,
  webhookPatchSchema,
  webhookRequestSchema,
  webhookResourceSchema,
  webhooksQuerySchema,
  webhookWithSecretSchema,
} from '@gateway/public-api';
import { idIn, merchantEndpoint, ownerOf } from '#src/merchant/merchant-endpoint.ts';
import { answerWebhooks } from '#src/statements/delivery-answer.ts';
import { csvMedia } from '#src/statements/list-answer.ts';

export const webhookEndpoints = [
  merchantEndpoint({
    method: 'POST',
    path: '/v1/webhooks',
    operation: 'createWebhook',
    summary: 'Register a webhook; its secret is shown only in this answer',
    description:
      'Registers an address for events. The secret that signs them is in this answer and in no other: keep it. ' +
      'The webhook speaks the contract of the call that registers it. An account has at most 20 webhooks per ' +
      'environment.',
    refusals: ['LIMIT_REACHED'],
    body: webhookRequestSchema,
    example: { name: 'shop', url: 'https://shop.example/hooks', events: ['deposit.paid'] },
    answers: { 201: webhookWithSecretSchema },
    leadsTo: {
      getWebhook: '/id',
      updateWebhook: '/id',
      testWebhook: '/id',
      rotateWebhookSecret: '/id',
      recoverWebhookDeliveries: '/id',
      listWebhookDeliveries: '/id',
      deleteWebhook: '/id',
    },
    handle: async (call, { bus }) => {
      const { name, url, events, headers, rate_limit_per_second: rateLimitPerSecond } = call.body;
      const { apiVersion } = call;
      const request = {
        ...ownerOf(call),
        apiVersion,
        name,
        url,
        events: [...new Set(events)],
        headers: headers ?? {},
        rateLimitPerSecond: rateLimitPerSecond ?? null,
      };
      const { webhook, secret } = await callRpc(bus, registerWebhook, request);
      return { status: 201, body: { ...presentWebhook(webhook), secret } };
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/webhooks',
    operation: 'listWebhooks',
    summary: 'List webhooks, newest first',
    description:
      'Answers with the webhooks of the account in the environment of the key, newest first, without their ' +
      'secrets.',
    query: webhooksQuerySchema,
    answers: { 200: pageOf(webhookResourceSchema) },
    otherMedia: csvMedia,
    handle: async (call, { bus }) => await answerWebhooks(call, bus, ownerOf(call)),
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/webhooks/:id',
    operation: 'getWebhook',
    summary: 'Read a webhook',
    description: 'Answers with a webhook without its secret. `disabled_reason` says why the gateway disabled it.',
    answers: { 200: webhookResourceSchema },
    handle: async (call, { bus }) => {
      const { webhook } = await callRpc(bus, getWebhook, { ...ownerOf(call), id: idIn(call, 'webhook') });
      return { status: 200, body: presentWebhook(webhook) };
    },
  }),
  merchantEndpoint({
    method: 'PATCH',
    path: '/v1/webhooks/:id',
    operation: 'updateWebhook',
    summary: 'Change, pause, disable or enable a webhook',
    description:
      'Changes what is given and leaves the rest. `paused` keeps events for up to 24 hours and sends them when ' +
      'it is enabled again; `disabled` records nothing in the meantime.',
    body: webhookPatchSchema,
    example: { status: 'paused' },
    answers: { 200: webhookResourceSchema },
    handle: async (call, { bus }) => {
      const { events, rate_limit_per_second: rateLimitPerSecond, ...members } = call.body;
      const request = {
        ...ownerOf(call),
        id: idIn(call, 'webhook'),
        ...members,
        ...(events ? { events: [...new Set(events)] } : {}),
        ...(rateLimitPerSecond === undefined ? {} : { rateLimitPerSecond }),
      };
      const { webhook } = await callRpc(bus, updateWebhook, request);
      return { status: 200, body: presentWebhook(webhook) };
    },
  }),
  merchantEndpoint({
    method: 'DELETE',
    path: '/v1/webhooks/:id',
    operation: 'deleteWebhook',
    summary: 'Remove a webhook',
    description: 'Removes a webhook; what waits for it is not sent any more.',
    answers: { 204: null },
    handle: async (call, { bus }) => {
      await callRpc(bus, deleteWebhook, { ...ownerOf(call), id: idIn(call, 'webhook') });
      return { status: 204 };
    },
  }),
];

const overlapSecDefault = 86_400;

export const webhookSecretEndpoints = [
  merchantEndpoint({
    method: 'POST',
    path: '/v1/webhooks/:id/rotate-secret',
    operation: 'rotateWebhookSecret',
    summary: 'Replace the signing secret; until the overlap ends deliveries carry both signatures',
    description:
      'Makes a new secret and answers with it once. Until the overlap ends, deliveries carry the signature of ' +
      'the old secret in `X-Gateway-Signature` and that of the new one in `X-Gateway-Signature-Next`, so that ' +
      'receivers can change without a gap.',
    bodyOptional: true,
    body: rotateSecretRequestSchema,
    example: { overlap_sec: 3_600 },
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
    operation: 'createCallbackSecret',
    summary: "Issue the secret that signs the events sent to deposits' callback URLs; it replaces the last",
    description:
      'Makes the secret that signs the events sent to the `callback_url` of deposits, and answers with it once. ' +
      'It replaces the last one at once.',
    answers: { 201: secretResourceSchema },
    handle: async (call, { bus }) => {
      const { secret } = await callRpc(bus, rotateCallbackSecret, ownerOf(call));
      return { status: 201, body: { secret } };
    },
  }),
];
