import {
  deleteWebhook,
  deliveriesQuerySchema,
  deliveryResourceSchema,
  getWebhook,
  listDeliveries,
  listWebhooks,
  pageOf,
  presentDelivery,
  presentWebhook,
  registerWebhook,
  webhookRequestSchema,
  webhookResourceSchema,
  webhooksQuerySchema,
  webhookWithSecretSchema,
} from '@gateway/contracts';
import { callRpc } from '@gateway/service-kit';
import { idIn, merchantEndpoint, ownerOf } from '#src/merchant-api/merchant-endpoint.ts';

export const webhookEndpoints = [
  merchantEndpoint({
    method: 'POST',
    path: '/v1/webhooks',
    summary: 'Register a webhook; the secret is in this answer and nowhere else',
    body: webhookRequestSchema,
    answers: { 201: webhookWithSecretSchema },
    handle: async (call, { bus }) => {
      const { name, url, events } = call.body;
      const { apiVersion } = call.caller;
      const request = { ...ownerOf(call), apiVersion, name, url, events: [...new Set(events)] };
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
    method: 'DELETE',
    path: '/v1/webhooks/:id',
    summary: 'Remove a webhook',
    answers: { 204: null },
    handle: async (call, { bus }) => {
      await callRpc(bus, deleteWebhook, { ...ownerOf(call), id: idIn(call, 'webhook') });
      return { status: 204 };
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/webhooks/:id/deliveries',
    summary: 'List the deliveries of a webhook, newest first',
    query: deliveriesQuerySchema,
    answers: { 200: pageOf(deliveryResourceSchema) },
    handle: async (call, { bus }) => {
      const { data_id: dataId, ...query } = call.query;
      const request = { ...ownerOf(call), webhookId: idIn(call, 'webhook'), ...query, dataId };
      const { deliveries, nextCursor } = await callRpc(bus, listDeliveries, request);
      return { status: 200, body: { data: deliveries.map(presentDelivery), next_cursor: nextCursor } };
    },
  }),
];
