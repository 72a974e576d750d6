import { createRoute } from '@tanstack/react-router';
import {
  type DeliveriesQuery,
  deliveryFilters,
  eventFilters,
  type EventsQuery,
  keyFilters,
  requestFilters,
  type RequestsQuery,
} from '#src/merchants/addresses.ts';
import type { KeysQuery } from '#src/merchants/developers/keys.ts';
import { getParentRoute } from '#src/merchants/root-route.tsx';
import { lazyPage } from '#src/records/lazy-page.ts';

const ListKeys = lazyPage(async () => (await import('#src/merchants/developers/list-keys.tsx')).ListKeys);
const ShowKey = lazyPage(async () => (await import('#src/merchants/developers/show-key.tsx')).ShowKey);
const ListEvents = lazyPage(async () => (await import('#src/merchants/events/list-events.tsx')).ListEvents);
const ShowEvent = lazyPage(async () => (await import('#src/merchants/events/show-event.tsx')).ShowEvent);
const ListRequests = lazyPage(async () => (await import('#src/merchants/requests/list-requests.tsx')).ListRequests);
const ShowRequest = lazyPage(async () => (await import('#src/merchants/requests/show-request.tsx')).ShowRequest);
const ListEndpoints = lazyPage(async () => (await import('#src/merchants/webhooks/list-endpoints.tsx')).ListEndpoints);
const ShowDelivery = lazyPage(async () => (await import('#src/merchants/webhooks/show-delivery.tsx')).ShowDelivery);
const ShowEndpoint = lazyPage(async () => (await import('#src/merchants/webhooks/show-endpoint.tsx')).ShowEndpoint);

export const webhooks = createRoute({ getParentRoute, path: '/webhooks', component: ListEndpoints });

export const webhook = createRoute({
  getParentRoute,
  path: '/webhooks/$id',
  validateSearch: (given): DeliveriesQuery => deliveryFilters(given),
  component: function Webhook() {
    const { id } = webhook.useParams();
    return <ShowEndpoint key={id} id={id} query={webhook.useSearch()} />;
  },
});

export const delivery = createRoute({
  getParentRoute,
  path: '/deliveries/$id',
  component: function Delivery() {
    const { id } = delivery.useParams();
    return <ShowDelivery key={id} id={id} />;
  },
});

export const eventLog = createRoute({
  getParentRoute,
  path: '/events',
  validateSearch: (given): EventsQuery => eventFilters(given),
  component: function Events() {
    return <ListEvents query={eventLog.useSearch()} />;
  },
});

export const event = createRoute({
  getParentRoute,
  path: '/events/$id',
  component: function OneEvent() {
    const { id } = event.useParams();
    return <ShowEvent key={id} id={id} />;
  },
});

export const requestLog = createRoute({
  getParentRoute,
  path: '/requests',
  validateSearch: (given): RequestsQuery => requestFilters(given),
  component: function Requests() {
    return <ListRequests query={requestLog.useSearch()} />;
  },
});

export const request = createRoute({
  getParentRoute,
  path: '/requests/$id',
  component: function OneRequest() {
    const { id } = request.useParams();
    return <ShowRequest key={id} id={id} />;
  },
});

export const developers = createRoute({
  getParentRoute,
  path: '/developers',
  validateSearch: (given): KeysQuery => keyFilters(given),
  component: function Developers() {
    return <ListKeys query={developers.useSearch()} />;
  },
});

export const key = createRoute({
  getParentRoute,
  path: '/developers/$id',
  component: function Key() {
    const { id } = key.useParams();
    return <ShowKey key={id} id={id} />;
  },
});
