import {
  checkTargetUrl,
  deleteWebhook,
  getDelivery,
  getWebhook,
  listDeliveries,
  listWebhooks,
  recoverDeliveries,
  redeliver,
  registerWebhook,
  replaceConnectorEndpoints,
  rotateCallbackSecret,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '@gateway/contracts';
import { answering, type Database, type RpcRoute } from '@gateway/service-kit';
import type { SecretBox } from '@gateway/service-kit';
import { getDelivery as answerGetDelivery } from '#src/deliveries/get-delivery.ts';
import { listDeliveries as answerListDeliveries } from '#src/deliveries/list-deliveries.ts';
import { recoverDeliveries as answerRecoverDeliveries } from '#src/deliveries/recover-deliveries.ts';
import { redeliver as answerRedeliver } from '#src/deliveries/redeliver.ts';
import { deleteWebhook as answerDeleteWebhook } from '#src/subscriptions/delete-webhook.ts';
import { getWebhook as answerGetWebhook } from '#src/subscriptions/get-webhook.ts';
import { listWebhooks as answerListWebhooks } from '#src/subscriptions/list-webhooks.ts';
import { registerWebhook as answerRegisterWebhook } from '#src/subscriptions/register-webhook.ts';
import { replaceConnectorEndpoints as answerReplaceConnectorEndpoints } from '#src/subscriptions/replace-connector-endpoints.ts';
import { rotateCallbackSecret as answerRotateCallbackSecret } from '#src/subscriptions/rotate-callback-secret.ts';
import { rotateSecret } from '#src/subscriptions/rotate-secret.ts';
import { testWebhook as answerTestWebhook } from '#src/subscriptions/test-webhook.ts';
import { updateWebhook as answerUpdateWebhook } from '#src/subscriptions/update-webhook.ts';
import type { Sender } from '#src/http/sender.ts';
import { checkTarget, type TargetGuard } from '#src/http/check-target.ts';

export interface RpcDeps {
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly guard: TargetGuard;
  readonly sender: Sender;
  /** Deliveries are due. */
  readonly onDue: () => void;
  /** A window of failed deliveries is to be sent again. */
  readonly onRecovery: () => void;
}

/** Every question this service answers. */
export function rpcRoutes(deps: RpcDeps): readonly RpcRoute[] {
  const { database, onRecovery } = deps;
  return [
    answering(registerWebhook, (request) => answerRegisterWebhook(deps, request)),
    answering(replaceConnectorEndpoints, (request) => answerReplaceConnectorEndpoints(deps, request)),
    answering(getWebhook, (request) => answerGetWebhook(database, request)),
    answering(listWebhooks, (request) => answerListWebhooks(database, request)),
    answering(updateWebhook, (request) => answerUpdateWebhook(deps, request)),
    answering(deleteWebhook, (request) => answerDeleteWebhook(database, request)),
    answering(rotateWebhookSecret, (request) => rotateSecret(deps, request)),
    answering(rotateCallbackSecret, (request) => answerRotateCallbackSecret(deps, request)),
    answering(checkTargetUrl, async ({ url, member }) => {
      await checkTarget(url, deps.guard, member);
      return {};
    }),
    answering(testWebhook, (request) => answerTestWebhook(deps, request)),
    answering(listDeliveries, (request) => answerListDeliveries(database, request)),
    answering(getDelivery, (request) => answerGetDelivery(deps, request)),
    answering(redeliver, (request) => answerRedeliver(deps, request)),
    answering(recoverDeliveries, (request) => answerRecoverDeliveries(database, request, onRecovery)),
  ];
}
