import { NotFoundError } from '@gateway/contracts/errors';
import { environmentSchema } from '@gateway/contracts/values';
import {
  findDeliveries,
  getAccountDelivery,
  getDelivery,
  getWebhook,
  recoverDeliveries,
  redeliverAccountDelivery,
  updateWebhook,
  type Webhook,
} from '@gateway/contracts/webhooks';
import { callRpc, type TimedBus } from '@gateway/messaging';
import { isId } from '@gateway/money';
import {
  deliveriesQuerySchema,
  deliveryDetailResourceSchema,
  deliveryResourceSchema,
  operatorDeliveriesQuerySchema,
  operatorDeliveryDetailResourceSchema,
  operatorDeliveryResourceSchema,
  operatorWebhooksQuerySchema,
  pageOf,
  presentDelivery,
  presentDeliveryDetail,
  presentOperatorDelivery,
  presentOperatorDeliveryDetail,
  presentWebhook,
  recoverRequestSchema,
  recoveryResourceSchema,
  webhookResourceSchema,
} from '@gateway/public-api';
import { auditAcross } from '#src/approvals/audit.ts';
import { unlessMissing } from '#src/operator/ask-sources.ts';
import {
  actOf,
  idIn,
  operatorEndpoint,
  type OperatorCall,
  type OperatorServices,
} from '#src/operator/operator-endpoint.ts';
import { operatorList } from '#src/operator/operator-list.ts';
import { requireAccount } from '#src/operator/require-account.ts';
import { answerWebhookDeliveries, answerWebhooks } from '#src/statements/delivery-answer.ts';
import { csvMedia } from '#src/statements/list-answer.ts';

/** The webhooks of an account, as operators read them, stop and start them and send again what failed. */
export const webhookEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/accounts/:id/webhooks',
    operation: 'listAccountWebhooks',
    permission: 'webhooks:read',
    summary: "List an account's webhooks in an environment, newest first",
    description: 'Answers with the webhooks of an account in one environment, newest first, without their secrets.',
    query: operatorWebhooksQuerySchema,
    answers: { 200: pageOf(webhookResourceSchema) },
    otherMedia: csvMedia,
    handle: async (call, { bus, database }) => {
      const accountId = idIn(call, 'account');
      await requireAccount(database, accountId);
      return await answerWebhooks(call, bus, { accountId, environment: call.query.environment });
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/accounts/:id/webhooks/:webhookId',
    operation: 'getAccountWebhook',
    permission: 'webhooks:read',
    summary: 'Read a webhook of an account',
    description:
      'Answers with a webhook of either environment, without its secret; `disabled_reason` says why the gateway disabled it.',
    answers: { 200: webhookResourceSchema },
    handle: async (call, { bus }) => ({ status: 200, body: presentWebhook(await webhookIn(call, bus)) }),
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/accounts/:id/webhooks/:webhookId/pause',
    operation: 'pauseAccountWebhook',
    permission: 'webhooks:write',
    summary: 'Pause a webhook: its deliveries wait, for 24 hours at most',
    description:
      'Keeps what is to be sent for up to 24 hours, and sends it when the webhook is enabled again. The change is in the audit trail.',
    answers: { 200: webhookResourceSchema },
    handle: async (call, services) => await changeStatus(call, services, 'paused'),
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/accounts/:id/webhooks/:webhookId/enable',
    operation: 'enableAccountWebhook',
    permission: 'webhooks:write',
    summary: 'Enable a webhook that is paused or disabled, and send what waits',
    description:
      'Sends what waits, and events from now on. What happened while it was disabled was not recorded for it.',
    answers: { 200: webhookResourceSchema },
    handle: async (call, services) => await changeStatus(call, services, 'enabled'),
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/accounts/:id/webhooks/:webhookId/recover',
    operation: 'recoverAccountWebhook',
    permission: 'webhooks:write',
    summary: 'Send again all failed deliveries of a webhook that were created in a period',
    description:
      'Sends everything again that FAILED in a window of time, in its order, and answers with how many deliveries that are.',
    body: recoverRequestSchema,
    example: { since: 1_767_225_600 },
    answers: { 202: recoveryResourceSchema },
    handle: async (call, { bus, database }) => {
      const { since, until } = call.body;
      const window = { since, ...(typeof until === 'number' ? { until } : {}) };
      const webhook = await webhookIn(call, bus);
      const change = { action: 'webhook.recover', target: webhook.id, accountId: webhook.accountId } as const;
      const { after } = await auditAcross(database, actOf(call), change, async () => {
        const recovered = { ...ownerOf(webhook), webhookId: webhook.id, ...window };
        const { count } = await callRpc(bus, recoverDeliveries, recovered);
        return { before: window, after: { count } };
      });
      return { status: 202, body: after };
    },
  }),
];

/** The delivery log: of one webhook, and across all of them and the callback URLs. */
export const deliveryEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/accounts/:id/webhooks/:webhookId/deliveries',
    operation: 'listAccountWebhookDeliveries',
    permission: 'webhooks:read',
    summary: 'List the deliveries of a webhook, newest first',
    description: 'Answers with the log of what was sent to the webhook, newest first.',
    query: deliveriesQuerySchema,
    answers: { 200: pageOf(deliveryResourceSchema) },
    otherMedia: csvMedia,
    handle: async (call, { bus }) => {
      const webhook = await webhookIn(call, bus);
      return await answerWebhookDeliveries(call, bus, { ...ownerOf(webhook), webhookId: webhook.id });
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/accounts/:id/webhooks/:webhookId/deliveries/:deliveryId',
    operation: 'getAccountWebhookDelivery',
    permission: 'webhooks:read',
    summary: 'Read a delivery of a webhook with the body that is sent and every attempt',
    description: 'Answers with a delivery, the body that is signed and sent, and one row for every call that was made.',
    answers: { 200: deliveryDetailResourceSchema },
    reads: 'delivery.read',
    handle: async (call, { bus }) => ({ status: 200, body: presentDeliveryDetail(await detailIn(call, bus)) }),
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/accounts/:id/webhooks/:webhookId/deliveries/:deliveryId/redeliver',
    operation: 'redeliverAccountWebhookDelivery',
    permission: 'webhooks:write',
    summary: 'Send a delivery of a webhook again, whatever its status',
    description: 'Sends a delivery again with the same event id; its attempts begin anew.',
    answers: { 202: operatorDeliveryResourceSchema },
    handle: async (call, services) => {
      await detailIn(call, services.bus);
      return await redeliver(call, services);
    },
  }),
  operatorList({
    path: '/ops/deliveries',
    operation: 'listDeliveries',
    permission: 'webhooks:read',
    summary: 'Find deliveries by their record or their account, newest first',
    description:
      'By `data_id`: the deliveries of that record to all webhooks and to its callback URL; those to callback URLs and to ' +
      'webhooks that were removed for 30 days. By `account_id` alone: of all its webhooks, and of the callback URLs that ' +
      'something waits for.',
    query: operatorDeliveriesQuerySchema,
    name: 'deliveries',
    schema: operatorDeliveryResourceSchema,
    page: async ({ query }, { bus }, page) => {
      const { data_id: dataId, account_id: accountId, environment, status, event } = query;
      const filter = { dataId, accountId, environment, status, event };
      const { deliveries, nextCursor } = await callRpc(bus, findDeliveries, { ...filter, ...page });
      return { data: deliveries.map(presentOperatorDelivery), nextCursor };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/accounts/:id/deliveries/:deliveryId',
    operation: 'getAccountDelivery',
    permission: 'webhooks:read',
    summary: 'Read a delivery of an account, to a webhook or a callback URL',
    description:
      'Answers with a delivery of either environment, the body that is signed and sent, and one row for every call that was made.',
    answers: { 200: operatorDeliveryDetailResourceSchema },
    reads: 'delivery.read',
    handle: async (call, { bus }) => {
      const { delivery } = await callRpc(bus, getAccountDelivery, deliveryIn(call));
      return { status: 200, body: presentOperatorDeliveryDetail(delivery) };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/accounts/:id/deliveries/:deliveryId/redeliver',
    operation: 'redeliverAccountDelivery',
    permission: 'webhooks:write',
    summary: 'Send a delivery of an account again, to a webhook or a callback URL, whatever its status',
    description:
      'Sends a delivery again with the same event id; its attempts begin anew. The change is in the audit trail.',
    answers: { 202: operatorDeliveryResourceSchema },
    handle: redeliver,
  }),
];

async function changeStatus(call: OperatorCall, { bus, database }: OperatorServices, status: 'paused' | 'enabled') {
  const before = await webhookIn(call, bus);
  const action = status === 'paused' ? 'webhook.pause' : 'webhook.enable';
  const change = { action, target: before.id, accountId: before.accountId } as const;
  const { after } = await auditAcross(database, actOf(call), change, async () => {
    const { webhook } = await callRpc(bus, updateWebhook, { ...ownerOf(before), id: before.id, status });
    return { before: presentWebhook(before), after: presentWebhook(webhook) };
  });
  return { status: 200, body: after };
}

async function redeliver(call: OperatorCall, { bus, database }: OperatorServices) {
  const request = deliveryIn(call);
  const change = { action: 'delivery.redeliver', target: request.id } as const;
  const { after } = await auditAcross(database, actOf(call), change, async () => {
    const { before, delivery } = await callRpc(bus, redeliverAccountDelivery, request);
    return { before: presentDelivery(before), after: presentOperatorDelivery(delivery) };
  });
  return { status: 202, body: after };
}

/** An id is of one environment, which the path does not name. @throws NotFoundError */
async function webhookIn(call: OperatorCall, bus: TimedBus): Promise<Webhook> {
  const accountId = idIn(call, 'account');
  const { webhookId = '' } = call.params;
  if (!isId('webhook', webhookId)) throw new NotFoundError('webhook');
  for (const environment of environmentSchema.options) {
    const found = await callRpc(bus, getWebhook, { environment, accountId, id: webhookId }).catch(unlessMissing);
    if (found) return found.webhook;
  }
  throw new NotFoundError('webhook');
}

async function detailIn(call: OperatorCall, bus: TimedBus) {
  const webhook = await webhookIn(call, bus);
  const { id } = deliveryIn(call);
  return (await callRpc(bus, getDelivery, { ...ownerOf(webhook), webhookId: webhook.id, id })).delivery;
}

function deliveryIn(call: OperatorCall) {
  const { deliveryId = '' } = call.params;
  const accountId = idIn(call, 'account');
  if (!isId('delivery', deliveryId)) throw new NotFoundError('delivery');
  return { accountId, id: deliveryId };
}

function ownerOf({ environment, accountId }: Webhook) {
  return { environment, accountId };
}
