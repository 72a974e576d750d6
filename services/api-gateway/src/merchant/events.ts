import { deliverEvent, getEvent, listEventDeliveries, listEvents } from '@gateway/contracts/webhooks';
import { callRpc } from '@gateway/messaging';
import {
  deliverRequestSchema,
  deliveryResourceSchema,
  eventResourceSchema,
  eventsQuerySchema,
  pageOf,
  presentDelivery,
  presentEvent,
  secondsOfPeriod,
} from '@gateway/public-api';
import { idIn, merchantEndpoint, ownerOf } from '#src/merchant/merchant-endpoint.ts';

/** The event log (api.md 8): what happened, whether or not a webhook received it. */
export const eventEndpoints = [
  merchantEndpoint({
    method: 'GET',
    path: '/v1/events',
    operation: 'listEvents',
    summary: 'List the events of the account, whether or not a webhook received them',
    description:
      'Answers with what happened to the records of the account, kept 30 days for live keys and 7 for test keys. The order ' +
      'is that of recording, the same for every reader: reading with `order=asc` on from the last event received sees each ' +
      'event exactly once, also while others are recorded. One call looks at 10,000 events at most: a page narrowed by ' +
      '`event` may be short, and the log ends where `next_cursor` is null. A `cursor` that is no longer kept is 400.',
    query: eventsQuerySchema,
    answers: { 200: pageOf(eventResourceSchema) },
    handle: async (call, { bus }) => {
      const { limit, cursor, order, event: events, data_id: dataId } = call.query;
      const { apiVersion, language } = call;
      const filter = { limit, cursor, order, events, dataId, ...secondsOfPeriod(call.query) };
      const { events: page, nextCursor } = await callRpc(bus, listEvents, {
        ...ownerOf(call),
        ...filter,
        ...{ apiVersion, language },
      });
      const data = page.map((event) => presentEvent(event, apiVersion));
      return { status: 200, body: { data, next_cursor: nextCursor }, written: { records: data.length } };
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/events/:id',
    operation: 'getEvent',
    summary: 'Read an event',
    description:
      'Answers with an event and its record as it was then, in the contract of the call. The `webhook-id` of a delivery is ' +
      'the id of its event. One that is no longer kept is 404.',
    answers: { 200: eventResourceSchema },
    handle: async (call, { bus }) => {
      const { apiVersion, language } = call;
      const request = { ...ownerOf(call), id: idIn(call, 'event'), apiVersion, language };
      const { event } = await callRpc(bus, getEvent, request);
      return { status: 200, body: presentEvent(event, apiVersion) };
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/events/:id/deliveries',
    operation: 'listEventDeliveries',
    summary: 'List the deliveries of an event, at every webhook and at the callback URL',
    description:
      'Answers with what was made of an event for each webhook and callback URL, newest first, on one page. An event that ' +
      'no webhook subscribed to has none.',
    answers: { 200: pageOf(deliveryResourceSchema) },
    handle: async (call, { bus }) => {
      const { deliveries } = await callRpc(bus, listEventDeliveries, { ...ownerOf(call), id: idIn(call, 'event') });
      return { status: 200, body: { data: deliveries.map(presentDelivery), next_cursor: null } };
    },
  }),
  merchantEndpoint({
    method: 'POST',
    path: '/v1/events/:id/deliver',
    operation: 'deliverEvent',
    summary: 'Send an event to a webhook, also one that is newer than the event',
    description:
      'Sends an event of the log to a webhook, whether or not it subscribes to it, with the record as it was then. A webhook ' +
      'that was given the event before gets it again. Answers with the delivery, whose progress is in the log; 409 ' +
      '`INVALID_STATE` means that the webhook is disabled.',
    refusals: ['INVALID_STATE'],
    body: deliverRequestSchema,
    example: { webhook_id: 'whk_01k9z3m4v6t8x0a2c4e6g8jk01' },
    answers: { 202: deliveryResourceSchema },
    handle: async (call, { bus }) => {
      const request = { ...ownerOf(call), id: idIn(call, 'event'), webhookId: call.body.webhook_id };
      const { delivery } = await callRpc(bus, deliverEvent, request);
      return { status: 202, body: presentDelivery(delivery) };
    },
  }),
];
