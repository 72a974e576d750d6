import type { z } from 'zod';
import {
  ConversionCompleted,
  DepositCanceled,
  DepositCreated,
  DepositExpired,
  DepositPaid,
  DepositRefunded,
  DisputeContested,
  DisputeLost,
  DisputeOpened,
  DisputeWon,
  PayoutCanceled,
  PayoutFailed,
  PayoutPaid,
  PayoutPending,
  PayoutProcessing,
  PayoutReturned,
  presenters,
  RefundDone,
  RefundFailed,
  type Conversion,
  type Deposit,
  type EventContract,
  type PayloadOf,
  type Payout,
  type WebhookEvent,
} from '@gateway/contracts';
import type { PublicEvent } from '#src/fanout/public-event.ts';

interface Happening {
  readonly id: string;
  readonly occurredAt: number;
}

/**
 * Which event of the services is told to merchants, under which name (spec 6, api.md 2). Both contract versions show
 * records in the shape of their presenter in contracts.
 */
const told: readonly (readonly [string, (data: unknown) => PublicEvent])[] = [
  telling(DepositCreated, 'deposit.pending', ({ deposit }) => ofDeposit(deposit)),
  telling(DepositPaid, 'deposit.paid', ({ deposit }) => ofDeposit(deposit)),
  telling(DepositExpired, 'deposit.expired', ({ deposit }) => ofDeposit(deposit)),
  telling(DepositCanceled, 'deposit.canceled', ({ deposit }) => ofDeposit(deposit)),
  telling(DepositRefunded, 'deposit.refunded', ({ deposit }) => ofDeposit(deposit)),
  telling(DisputeOpened, 'med.opened', ofDispute),
  telling(DisputeContested, 'med.under_analysis', ofDispute),
  telling(DisputeWon, 'med.won', ofDispute),
  telling(DisputeLost, 'med.lost', ofDispute),
  telling(PayoutPending, 'payout.pending', ({ payout }) => ofPayout(payout)),
  telling(PayoutProcessing, 'payout.processing', ({ payout }) => ofPayout(payout)),
  telling(PayoutPaid, 'payout.paid', ({ payout }) => ofPayout(payout)),
  telling(PayoutFailed, 'payout.failed', ({ payout }) => ofPayout(payout)),
  telling(PayoutCanceled, 'payout.canceled', ({ payout }) => ofPayout(payout)),
  telling(PayoutReturned, 'payout.returned', ofReturn),
  telling(RefundDone, 'refund.done', ofRefund),
  telling(RefundFailed, 'refund.failed', ofRefund),
  telling(ConversionCompleted, 'conversion.completed', ({ conversion }) => ofConversion(conversion)),
];

const bySubject = new Map(told);

/**
 * The public event behind a message, or undefined when merchants are not told of it.
 * @throws ZodError when the message does not fit its contract
 */
export function publicEventOf(subject: string, data: unknown): PublicEvent | undefined {
  return bySubject.get(subject)?.(data);
}

type Told = Pick<PublicEvent, 'environment' | 'accountId' | 'dataId' | 'callback' | 'present'>;

function telling<S extends z.ZodType<Happening>>(
  contract: EventContract<S>,
  name: WebhookEvent,
  describe: (payload: z.infer<S>) => Told,
): readonly [string, (data: unknown) => PublicEvent] {
  const read = (data: unknown): PublicEvent => {
    const payload = contract.payload.parse(data);
    return { id: payload.id, name, createdAt: payload.occurredAt, ...describe(payload) };
  };
  return [contract.subject, read];
}

function ofDeposit(deposit: Deposit): Told {
  const { environment, accountId, id, callbackUrl, apiVersion } = deposit;
  const callback = callbackUrl === null ? undefined : { url: callbackUrl, apiVersion };
  return { environment, accountId, dataId: id, callback, present: (version) => presenters[version].deposit(deposit) };
}

function ofDispute({ dispute, callback }: PayloadOf<typeof DisputeOpened>): Told {
  const { environment, accountId, id } = dispute;
  return {
    environment,
    accountId,
    dataId: id,
    callback: callback ?? undefined,
    present: (version) => presenters[version].dispute(dispute),
  };
}

function ofRefund({ refund, callback }: PayloadOf<typeof RefundDone>): Told {
  const { environment, accountId, id } = refund;
  return {
    environment,
    accountId,
    dataId: id,
    callback: callback ?? undefined,
    present: (version) => presenters[version].refund(refund),
  };
}

function ofPayout(payout: Payout): Told {
  const { environment, accountId, id } = payout;
  return { environment, accountId, dataId: id, present: (version) => presenters[version].payout(payout) };
}

/** The payout with the part that came back, which has an id of its own: an event per part (api.md 8). */
function ofReturn({ payout, return: part }: PayloadOf<typeof PayoutReturned>): Told {
  const { environment, accountId, id } = payout;
  if (!part) return ofPayout(payout);
  const returned = { payout, return: part };
  return { environment, accountId, dataId: id, present: (version) => presenters[version].returnedPayout(returned) };
}

function ofConversion(conversion: Conversion): Told {
  const { environment, accountId, id } = conversion;
  return { environment, accountId, dataId: id, present: (version) => presenters[version].conversion(conversion) };
}
