import { NotFoundError } from '@gateway/contracts/errors';
import {
  findDeliveries,
  getAccountDelivery,
  getDelivery,
  recoverDeliveries,
  redeliver,
  redeliverAccountDelivery,
  replayEvents,
  testWebhook,
} from '@gateway/contracts/webhooks';
import { isId } from '@gateway/money';
import {
  deliveriesQuerySchema,
  deliveryDetailResourceSchema,
  deliveryResourceSchema,
  pageOf,
  presentDelivery,
  presentDeliveryDetail,
  recordDeliveriesQuerySchema,
  recoverRequestSchema,
  recoveryResourceSchema,
  replayRequestSchema,
  replayResourceSchema,
  webhookTestResourceSchema,
} from '@gateway/public-api';
import { callRpc } from '@gateway/messaging';
import { idIn, merchantEndpoint, ownerOf, type MerchantCall } from '#src/merchant/merchant-endpoint.ts';
import { answerWebhookDeliveries } from '#src/statements/delivery-answer.ts';
import { answerPage, csvMedia } from '#src/statements/list-answer.ts';

/** A sample is answered after its receiver, which has 7 s, or after its name could not be resolved. */
const testTimeoutMs = 15_000;
/** Up to 100,000 events are counted. */
const replayTimeoutMs = 15_000;

export const webhookDeliveryEndpoints = [
  merchantEndpoint({
    method: 'GET',
    path: '/v1/webhooks/:id/deliveries',
    operation: 'listWebhookDeliveries',
    summary: 'List the deliveries of a webhook, newest first',
    description:
      'Answers with the log of what was sent to the webhook, newest first. `status=FAILED` finds what was given ' +
      'up; `data_id` finds what was sent about one record.',
    query: deliveriesQuerySchema,
    answers: { 200: pageOf(deliveryResourceSchema) },
    otherMedia: csvMedia,
    handle: async (call, { bus }) =>
      await answerWebhookDeliveries(call, bus, { ...ownerOf(call), webhookId: idIn(call, 'webhook') }),
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/webhooks/:id/deliveries/:deliveryId',
    operation: 'getWebhookDelivery',
    summary: 'Read a delivery with the body that is sent and every attempt',
    description:
      'Answers with a delivery, the body that is signed and sent, and one row for every call that was made: ' +
      'when, to which address, how long each part took and what was answered.',
    answers: { 200: deliveryDetailResourceSchema },
    handle: async (call, { bus }) => {
      const { delivery } = await callRpc(bus, getDelivery, deliveryIn(call));
      return { status: 200, body: presentDeliveryDetail(delivery) };
    },
  }),
  merchantEndpoint({
    method: 'POST',
    path: '/v1/webhooks/:id/deliveries/:deliveryId/redeliver',
    operation: 'redeliverWebhookDelivery',
    summary: 'Send a delivery again, whatever its status',
    description:
      'Sends a delivery again with the same event id, whatever its status; its attempts begin anew. 409 ' +
      '`INVALID_STATE` means that the webhook is disabled or that the body is older than bodies are kept.',
    refusals: ['INVALID_STATE'],
    answers: { 202: deliveryResourceSchema },
    handle: async (call, { bus }) => {
      const { delivery } = await callRpc(bus, redeliver, deliveryIn(call));
      return { status: 202, body: presentDelivery(delivery) };
    },
  }),
  merchantEndpoint({
    method: 'POST',
    path: '/v1/webhooks/:id/recover',
    operation: 'recoverWebhookDeliveries',
    summary: 'Send again all failed deliveries that were created in a period',
    description:
      'Sends everything again that FAILED in a window of time, in its order, after a receiver was down for ' +
      'longer than the retries last. Answers with how many deliveries that are; their progress is in the log.',
    refusals: ['INVALID_STATE'],
    body: recoverRequestSchema,
    example: { since: 1_767_225_600 },
    answers: { 202: recoveryResourceSchema },
    handle: async (call, { bus }) => {
      const { since, until } = call.body;
      const window = { since, ...(typeof until === 'number' ? { until } : {}) };
      const request = { ...ownerOf(call), webhookId: idIn(call, 'webhook'), ...window };
      const { count } = await callRpc(bus, recoverDeliveries, request);
      return { status: 202, body: { count } };
    },
  }),
  merchantEndpoint({
    method: 'POST',
    path: '/v1/webhooks/:id/replay',
    operation: 'replayWebhookEvents',
    summary: 'Send the events of a period that the webhook was never given',
    description:
      'Sends what the webhook subscribes to and was never given of a window of the event log, in its order: events from ' +
      'before it was registered, or while it was disabled. Answers with how many that are; none the second time. What was ' +
      'given and FAILED is sent again by `recover`. More than 100,000 events are 422 `LIMIT_REACHED`: ask for a shorter ' +
      'window.',
    refusals: ['INVALID_STATE', 'LIMIT_REACHED'],
    body: replayRequestSchema,
    example: { since: 1_767_225_600, events: ['deposit.paid'] },
    answers: { 202: replayResourceSchema },
    timeoutMs: replayTimeoutMs,
    handle: async (call, { bus }) => {
      const { since, until, events } = call.body;
      const narrowed = { ...(typeof until === 'number' ? { until } : {}), ...(events ? { events } : {}) };
      const request = { ...ownerOf(call), webhookId: idIn(call, 'webhook'), since, ...narrowed };
      const { count } = await callRpc(bus, replayEvents, request);
      return { status: 202, body: { count } };
    },
  }),
  merchantEndpoint({
    method: 'POST',
    path: '/v1/webhooks/:id/test',
    operation: 'testWebhook',
    summary: 'Send a signed sample now and read the result',
    description:
      'Sends a signed sample of `deposit.paid` now, whose `data.id` starts with `dep_test`, and answers with ' +
      'what the receiver said. It is not kept in the log and not repeated.',
    timeoutMs: testTimeoutMs,
    answers: { 200: webhookTestResourceSchema },
    handle: async (call, { bus }) => {
      const request = { ...ownerOf(call), id: idIn(call, 'webhook') };
      const sent = await callRpc(bus, testWebhook, request);
      const { delivered, responseStatus, latencyMs, error } = sent;
      return { status: 200, body: { delivered, response_status: responseStatus, latency_ms: latencyMs, error } };
    },
  }),
];

/** Of a record, at all webhooks and at its callback URL, which has no webhook. */
export const recordDeliveryEndpoints = [
  merchantEndpoint({
    method: 'GET',
    path: '/v1/deliveries',
    operation: 'listDeliveries',
    summary: 'List the deliveries of a record to all webhooks and to its callback URL, newest first',
    description:
      'Deliveries to a callback URL are shown for 30 days, as long as their bodies are kept; those to a webhook as long as ' +
      'there is that webhook.',
    query: recordDeliveriesQuerySchema,
    answers: { 200: pageOf(deliveryResourceSchema) },
    otherMedia: csvMedia,
    handle: async (call, { bus }) => {
      const { data_id: dataId, status, event } = call.query;
      const filter = { ...ownerOf(call), dataId, status, event };
      return await answerPage(call, bus, {
        name: 'deliveries',
        schema: deliveryResourceSchema,
        page: async (asked, page) => {
          const { deliveries, nextCursor } = await callRpc(asked, findDeliveries, { ...filter, ...page });
          return { data: deliveries.map(presentDelivery), nextCursor };
        },
      });
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/deliveries/:id',
    operation: 'getDelivery',
    summary: 'Read a delivery to a webhook or a callback URL, with the body that is sent and every attempt',
    description: 'Answers with a delivery, the body that is signed and sent, and one row for every call that was made.',
    answers: { 200: deliveryDetailResourceSchema },
    handle: async (call, { bus }) => {
      const request = { ...ownerOf(call), id: idIn(call, 'delivery') };
      const { delivery } = await callRpc(bus, getAccountDelivery, request);
      return { status: 200, body: presentDeliveryDetail(delivery) };
    },
  }),
  merchantEndpoint({
    method: 'POST',
    path: '/v1/deliveries/:id/redeliver',
    operation: 'redeliverDelivery',
    summary: 'Send a delivery to a webhook or a callback URL again, whatever its status',
    description:
      'Sends a delivery again with the same event id; its attempts begin anew. 409 means that its webhook is disabled or removed, or its body no longer kept.',
    refusals: ['INVALID_STATE'],
    answers: { 202: deliveryResourceSchema },
    handle: async (call, { bus }) => {
      const request = { ...ownerOf(call), id: idIn(call, 'delivery') };
      const { delivery } = await callRpc(bus, redeliverAccountDelivery, request);
      return { status: 202, body: presentDelivery(delivery) };
    },
  }),
];

function deliveryIn(call: MerchantCall) {
  const { deliveryId = '' } = call.params;
  const webhookId = idIn(call, 'webhook');
  if (!isId('delivery', deliveryId)) throw new NotFoundError('delivery');
  return { ...ownerOf(call), webhookId, id: deliveryId };
}
