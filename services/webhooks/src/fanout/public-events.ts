import type { z } from 'zod';
import { ConversionCompleted, type Conversion } from '@gateway/contracts/conversions';
import {
  DepositCanceled,
  DepositCreated,
  DepositExpired,
  DepositPaid,
  DepositPartiallyPaid,
  DepositRefunded,
  DisputeContested,
  DisputeLost,
  DisputeOpened,
  DisputeWon,
  RefundDone,
  RefundFailed,
  type Deposit,
} from '@gateway/contracts/deposits';
import { ExportCompleted } from '@gateway/contracts/exports';
import type { EventContract, PayloadOf } from '@gateway/contracts/messages';
import {
  PayoutCanceled,
  PayoutFailed,
  PayoutPaid,
  PayoutPending,
  PayoutProcessing,
  PayoutReturned,
  type Payout,
} from '@gateway/contracts/payouts';
import type { ApiVersion, MessageLanguage } from '@gateway/contracts/values';
import { WebhookDisabled, WebhookFailing, type Webhook, type WebhookEvent } from '@gateway/contracts/webhooks';
import { presentFailingWebhook, presentWebhook, presenters } from '@gateway/public-api/presenters';
import type { EventRecord } from '#src/queue/delivery-job.ts';

export interface Callback {
  readonly url: string;
  /** The contract version of the call that created the record. */
  readonly apiVersion: ApiVersion;
}

/**
 * An event of the public API, before it is written in a contract version. Its id is stable over retries and endpoints:
 * it is the `id` of the body and `X-Gateway-Event-Id`, and receivers recognise repetitions by it.
 */
export interface PublicEvent extends EventRecord {
  /** Unix seconds. */
  readonly createdAt: number;
  /** The callback URL of the record, which is called besides the endpoints. */
  readonly callback?: Callback | undefined;
  /** The endpoint that the event is about: it goes to the others of the account. */
  readonly aboutEndpointId?: string | undefined;
  /** The whole public record in a contract version. */
  readonly present: (apiVersion: ApiVersion, language?: MessageLanguage) => object;
}

/** What the payload of every event has. */
interface EventPayload {
  readonly id: string;
  readonly occurredAt: number;
}

/**
 * The events of the services that merchants receive, with their public names. Both contract versions show records in the
 * shape of their presenter in contracts.
 */
const published: readonly (readonly [string, (data: unknown) => PublicEvent])[] = [
  publishedAs(DepositCreated, 'deposit.pending', ({ deposit }) => ofDeposit(deposit)),
  publishedAs(DepositPaid, 'deposit.paid', ({ deposit }) => ofDeposit(deposit)),
  publishedAs(DepositPartiallyPaid, 'deposit.partially_paid', ({ deposit }) => ofDeposit(deposit)),
  publishedAs(DepositExpired, 'deposit.expired', ({ deposit }) => ofDeposit(deposit)),
  publishedAs(DepositCanceled, 'deposit.canceled', ({ deposit }) => ofDeposit(deposit)),
  publishedAs(DepositRefunded, 'deposit.refunded', ({ deposit }) => ofDeposit(deposit)),
  publishedAs(DisputeOpened, 'med.opened', ofDispute),
  publishedAs(DisputeContested, 'med.under_analysis', ofDispute),
  publishedAs(DisputeWon, 'med.won', ofDispute),
  publishedAs(DisputeLost, 'med.lost', ofDispute),
  publishedAs(PayoutPending, 'payout.pending', ({ payout }) => ofPayout(payout)),
  publishedAs(PayoutProcessing, 'payout.processing', ({ payout }) => ofPayout(payout)),
  publishedAs(PayoutPaid, 'payout.paid', ({ payout }) => ofPayout(payout)),
  publishedAs(PayoutFailed, 'payout.failed', ({ payout }) => ofPayout(payout)),
  publishedAs(PayoutCanceled, 'payout.canceled', ({ payout }) => ofPayout(payout)),
  publishedAs(PayoutReturned, 'payout.returned', ofReturn),
  publishedAs(RefundDone, 'refund.done', ofRefund),
  publishedAs(RefundFailed, 'refund.failed', ofRefund),
  publishedAs(ConversionCompleted, 'conversion.completed', ({ conversion }) => ofConversion(conversion)),
  publishedAs(ExportCompleted, 'export.completed', ofExport),
  publishedAs(WebhookFailing, 'webhook.failing', ({ webhook, failingHours }) =>
    ofWebhook(webhook, () => presentFailingWebhook(webhook, failingHours)),
  ),
  publishedAs(WebhookDisabled, 'webhook.disabled', ({ webhook }) => ofWebhook(webhook, () => presentWebhook(webhook))),
];

const bySubject = new Map(published);

/**
 * The public event behind a message, or undefined when merchants do not receive it.
 * @throws ZodError when the message does not fit its contract
 */
export function publicEventOf(subject: string, data: unknown): PublicEvent | undefined {
  return bySubject.get(subject)?.(data);
}

type EventSubject = Pick<
  PublicEvent,
  'environment' | 'accountId' | 'dataId' | 'callback' | 'aboutEndpointId' | 'present'
>;

function publishedAs<S extends z.ZodType<EventPayload>>(
  contract: EventContract<S>,
  name: WebhookEvent,
  describe: (payload: z.infer<S>) => EventSubject,
): readonly [string, (data: unknown) => PublicEvent] {
  const read = (data: unknown): PublicEvent => {
    const payload = contract.payload.parse(data);
    return { id: payload.id, name, createdAt: payload.occurredAt, ...describe(payload) };
  };
  return [contract.subject, read];
}

function ofDeposit(deposit: Deposit): EventSubject {
  const { environment, accountId, id, callbackUrl, apiVersion } = deposit;
  const callback = callbackUrl === null ? undefined : { url: callbackUrl, apiVersion };
  return { environment, accountId, dataId: id, callback, present: (version) => presenters[version].deposit(deposit) };
}

function ofDispute({ dispute, callback }: PayloadOf<typeof DisputeOpened>): EventSubject {
  const { environment, accountId, id } = dispute;
  return {
    environment,
    accountId,
    dataId: id,
    callback: callback ?? undefined,
    present: (version) => presenters[version].dispute(dispute),
  };
}

function ofRefund({ refund, callback }: PayloadOf<typeof RefundDone>): EventSubject {
  const { environment, accountId, id } = refund;
  return {
    environment,
    accountId,
    dataId: id,
    callback: callback ?? undefined,
    present: (version) => presenters[version].refund(refund),
  };
}

function ofPayout(payout: Payout): EventSubject {
  const { environment, accountId, id } = payout;
  return {
    environment,
    accountId,
    dataId: id,
    present: (version, language) => presenters[version].payout(payout, language),
  };
}

/** The payout with the part that was returned, which has an id of its own: there is an event per part. */
function ofReturn({ payout, return: part }: PayloadOf<typeof PayoutReturned>): EventSubject {
  const { environment, accountId, id } = payout;
  if (!part) return ofPayout(payout);
  const returned = { payout, return: part };
  return { environment, accountId, dataId: id, present: (version) => presenters[version].returnedPayout(returned) };
}

function ofConversion(conversion: Conversion): EventSubject {
  const { environment, accountId, id } = conversion;
  return { environment, accountId, dataId: id, present: (version) => presenters[version].conversion(conversion) };
}

/** Without a link: one that lies in logs of deliveries would be a key to the file. */
function ofExport({ export: exported }: PayloadOf<typeof ExportCompleted>): EventSubject {
  const { environment, accountId, id } = exported;
  return { environment, accountId, dataId: id, present: (version) => presenters[version].export(exported) };
}

/** A webhook has one shape in all contract versions. */
function ofWebhook({ environment, accountId, id }: Webhook, present: () => object): EventSubject {
  return { environment, accountId, dataId: id, aboutEndpointId: id, present };
}
