import {
  deleteWebhook,
  getWebhook,
  listWebhooks,
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

export const webhookEndpoints = [
  merchantEndpoint({
    method: 'POST',
    path: '/v1/webhooks',
    summary: 'Register a webhook; its secret is shown only in this answer',
    body: webhookRequestSchema,
    example: { name: 'shop', url: 'https://shop.example/hooks', events: ['deposit.paid'] },
    answers: { 201: webhookWithSecretSchema },
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
    summary: 'List webhooks, newest first',
    query: webhooksQuerySchema,
    answers: { 200: pageOf(webhookResourceSchema) },
    handle: async (call, { bus }) => {
      const { webhooks, nextCursor } = await callRpc(bus, listWebhooks, { ...ownerOf(call), ...call.query });
      return { status: 200, body: { data: webhooks.map(presentWebhook), next_cursor: nextCursor } };
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/webhooks/:id',
    summary: 'Read a webhook',
    answers: { 200: webhookResourceSchema },
    handle: async (call, { bus }) => {
      const { webhook } = await callRpc(bus, getWebhook, { ...ownerOf(call), id: idIn(call, 'webhook') });
      return { status: 200, body: presentWebhook(webhook) };
    },
  }),
  merchantEndpoint({
    method: 'PATCH',
    path: '/v1/webhooks/:id',
    summary: 'Change, pause, disable or enable a webhook',
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
    summary: 'Remove a webhook',
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
    summary: 'Replace the signing secret; until the overlap ends deliveries carry both signatures',
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
    summary: "Issue the secret that signs the events sent to deposits' callback URLs; it replaces the last",
    answers: { 201: secretResourceSchema },
    handle: async (call, { bus }) => {
      const { secret } = await callRpc(bus, rotateCallbackSecret, ownerOf(call));
      return { status: 201, body: { secret } };
    },
  }),
];
