import {
  checkTargetUrl,
  deliverEvent,
  deleteWebhook,
  findDeliveries,
  findWebhookRecord,
  getAccountDelivery,
  getDelivery,
  getEvent,
  getEventLogStart,
  getTotals,
  getWebhook,
  listDeliveries,
  listEventDeliveries,
  listEvents,
  listOutcomes,
  listWebhooks,
  recoverDeliveries,
  redeliver,
  redeliverAccountDelivery,
  registerWebhook,
  replaceConnectorEndpoints,
  replayEvents,
  rotateCallbackSecret,
  rotateWebhookSecret,
  simulateWebhookFailure,
  testWebhook,
  updateWebhook,
} from '@gateway/contracts/webhooks';
import { answering, type RpcRoute } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import type { SecretBox } from '@gateway/runtime';
import {
  findDeliveries as answerFindDeliveries,
  findWebhookRecord as answerFindWebhookRecord,
  getAccountDelivery as answerGetAccountDelivery,
  redeliverAccountDelivery as answerRedeliverAccountDelivery,
} from '#src/deliveries/account-deliveries.ts';
import { readOutcomes } from '#src/deliveries/list-outcomes.ts';
import {
  getDelivery as answerGetDelivery,
  listDeliveries as answerListDeliveries,
} from '#src/deliveries/read-deliveries.ts';
import {
  recoverDeliveries as answerRecoverDeliveries,
  redeliver as answerRedeliver,
} from '#src/deliveries/resend-deliveries.ts';
import type { EventLogDays } from '#src/deliveries/retention.ts';
import { deliverEvent as answerDeliverEvent } from '#src/event-log/deliver-event.ts';
import { replayEvents as answerReplayEvents } from '#src/event-log/replay-events.ts';
import {
  getEvent as answerGetEvent,
  getEventLogStart as answerGetEventLogStart,
  listEventDeliveries as answerListEventDeliveries,
  listEvents as answerListEvents,
} from '#src/event-log/read-events.ts';
import type { Sender } from '#src/http/sender.ts';
import { checkTarget, type TargetGuard } from '#src/http/target.ts';
import {
  getWebhook as answerGetWebhook,
  listWebhooks as answerListWebhooks,
} from '#src/subscriptions/read-webhooks.ts';
import { registerWebhook as answerRegisterWebhook } from '#src/subscriptions/register-webhook.ts';
import { replaceConnectorEndpoints as answerReplaceConnectorEndpoints } from '#src/subscriptions/replace-connector-endpoints.ts';
import {
  rotateCallbackSecret as answerRotateCallbackSecret,
  rotateWebhookSecret as answerRotateWebhookSecret,
} from '#src/subscriptions/rotate-secrets.ts';
import { simulateWebhookFailure as answerSimulateWebhookFailure } from '#src/subscriptions/simulate-failure.ts';
import { testWebhook as answerTestWebhook } from '#src/subscriptions/test-webhook.ts';
import {
  deleteWebhook as answerDeleteWebhook,
  updateWebhook as answerUpdateWebhook,
} from '#src/subscriptions/update-webhook.ts';
import { getTotals as answerGetTotals } from '#src/totals/read-totals.ts';

export interface RpcDeps {
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly guard: TargetGuard;
  readonly sender: Sender;
  readonly eventLogDays: EventLogDays;
  /** Deliveries are due. */
  readonly onDue: () => void;
  /** A recovery was asked for. */
  readonly onRecovery: () => void;
  /** A replay was asked for. */
  readonly onReplay: () => void;
}

/** Every request this service answers. */
export function rpcRoutes(deps: RpcDeps): readonly RpcRoute[] {
  const { database, eventLogDays, onRecovery, onReplay } = deps;
  return [
    answering(registerWebhook, (request) => answerRegisterWebhook(deps, request)),
    answering(replaceConnectorEndpoints, (request) => answerReplaceConnectorEndpoints(deps, request)),
    answering(getWebhook, (request) => answerGetWebhook(database, request)),
    answering(listWebhooks, (request) => answerListWebhooks(database, request)),
    answering(updateWebhook, (request) => answerUpdateWebhook(deps, request)),
    answering(deleteWebhook, (request) => answerDeleteWebhook(database, request)),
    answering(rotateWebhookSecret, (request) => answerRotateWebhookSecret(deps, request)),
    answering(rotateCallbackSecret, (request) => answerRotateCallbackSecret(deps, request)),
    answering(checkTargetUrl, async ({ url, member }) => {
      await checkTarget(url, deps.guard, member);
      return {};
    }),
    answering(simulateWebhookFailure, (request) => answerSimulateWebhookFailure(database, request)),
    answering(testWebhook, (request) => answerTestWebhook(deps, request)),
    answering(listDeliveries, (request) => answerListDeliveries(database, request)),
    answering(listOutcomes, (request) => readOutcomes(database, request)),
    answering(getDelivery, (request) => answerGetDelivery(deps, request)),
    answering(redeliver, (request) => answerRedeliver(deps, request)),
    answering(findDeliveries, (request) => answerFindDeliveries(database, request)),
    answering(findWebhookRecord, (request) => answerFindWebhookRecord(database, request)),
    answering(getAccountDelivery, (request) => answerGetAccountDelivery(deps, request)),
    answering(redeliverAccountDelivery, (request) => answerRedeliverAccountDelivery(deps, request)),
    answering(listEvents, (request) => answerListEvents(database, request)),
    answering(getEvent, (request) => answerGetEvent(database, request)),
    answering(getEventLogStart, (request) => answerGetEventLogStart(database, eventLogDays, request)),
    answering(getTotals, (request) => answerGetTotals(database, request)),
    answering(listEventDeliveries, (request) => answerListEventDeliveries(database, request)),
    answering(deliverEvent, (request) => answerDeliverEvent(deps, request)),
    answering(replayEvents, (request) => answerReplayEvents(database, request, onReplay)),
    answering(recoverDeliveries, (request) => answerRecoverDeliveries(database, request, onRecovery)),
  ];
}
