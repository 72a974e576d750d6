import { NotFoundError } from '@gateway/contracts/errors';
import {
  getDelivery,
  getWebhook,
  recoverDeliveries,
  redeliverAccountDelivery,
  updateWebhook,
  type Delivery,
} from '@gateway/contracts/webhooks';
import { newId } from '@gateway/money';
import { answering, type RpcRoute } from '@gateway/messaging';
import type { OperationTable, WhenAsked } from './changing-services.ts';
import { webhookOf } from './records.ts';

const owner = { environment: 'test' as const, accountId: newId('account') };
const registered = { name: 'shop', url: 'https://shop.example/hook', events: [] };
const webhook = { ...webhookOf({ ...owner, apiVersion: '0.1', ...registered }), status: 'disabled' as const };
const delivery: Delivery = {
  ...{ id: newId('delivery'), webhookId: webhook.id, callbackUrl: null, event: 'deposit.paid', dataId: 'dep_1' },
  ...{ status: 'FAILED', attempts: 1, latencyMs: 12, responseStatus: 500, error: 'http_5xx' },
  ...{ createdAt: 1_767_000_000, nextAttemptAt: null },
};

/** The webhooks of one account, and what operators change of them. */
export function changingWebhooks(whenAsked: WhenAsked): RpcRoute[] {
  return [
    answering(getWebhook, async ({ environment }) => {
      if (environment !== webhook.environment) throw new NotFoundError('webhook');
      return { webhook };
    }),
    answering(getDelivery, async () => ({ delivery: { ...delivery, requestBody: null, attemptLog: [] } })),
    answering(updateWebhook, async ({ status = 'disabled' }) => {
      await whenAsked();
      return { webhook: { ...webhook, status } };
    }),
    answering(recoverDeliveries, async () => {
      await whenAsked();
      return { count: 7 };
    }),
    answering(redeliverAccountDelivery, async () => {
      await whenAsked();
      return { before: delivery, delivery: { ...delivery, ...owner, status: 'PENDING' as const } };
    }),
  ];
}

const account = `/ops/accounts/${owner.accountId}`;
const redelivery = { action: 'delivery.redeliver', before: { status: 'FAILED' }, after: { status: 'PENDING' } };

/** The webhooks service makes these changes. */
export const webhookOperations: OperationTable = {
  'POST /ops/accounts/:id/webhooks/:webhookId/pause': () => ({
    ...{ path: `${account}/webhooks/${webhook.id}/pause`, action: 'webhook.pause' },
    ...{ before: { status: 'disabled' }, after: { status: 'paused' } },
  }),
  'POST /ops/accounts/:id/webhooks/:webhookId/enable': () => ({
    ...{ path: `${account}/webhooks/${webhook.id}/enable`, action: 'webhook.enable' },
    ...{ before: { status: 'disabled' }, after: { status: 'enabled' } },
  }),
  'POST /ops/accounts/:id/webhooks/:webhookId/recover': () => ({
    ...{ path: `${account}/webhooks/${webhook.id}/recover`, body: { since: 5 }, action: 'webhook.recover' },
    ...{ before: { since: 5 }, after: { count: 7 } },
  }),
  'POST /ops/accounts/:id/webhooks/:webhookId/deliveries/:deliveryId/redeliver': () => ({
    path: `${account}/webhooks/${webhook.id}/deliveries/${delivery.id}/redeliver`,
    ...redelivery,
  }),
  'POST /ops/accounts/:id/deliveries/:deliveryId/redeliver': () => ({
    path: `${account}/deliveries/${delivery.id}/redeliver`,
    ...redelivery,
  }),
};
