import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Metadata } from '@gateway/contracts/deposits';
import type {
  FailedCalls,
  PayoutKeyType,
  PayoutKind,
  PayoutResolution,
  PendingReason,
  Recipient,
} from '@gateway/contracts/payouts';
import type { ApiVersion, Environment } from '@gateway/contracts/values';
import type { Currency, PaymentMethod } from '@gateway/money';
import { EntityColumns } from '@gateway/persistence';
import type { PayoutState, Reversal } from '#src/payout/life-cycle.ts';

/** A part of a payout that the receiving bank sent back. */
export interface PayoutReturn {
  /** `ret_…`; those noted before parts had ids get theirs when they are credited. */
  readonly id?: string;
  /** The provider's or the rail's; unique per payout. */
  readonly returnId: string;
  /** ISO 8601 UTC with milliseconds, by the provider's clock. */
  readonly returnedAt?: string;
  /** Minor units. */
  readonly amount: number;
  /** Whether it is in the balance. */
  readonly credited: boolean;
  /** Set where two operators say that it came back, instead of an id on the rail. */
  readonly approvalId?: string;
  /** Set for what operators have to look at first; it is not credited. */
  readonly notBooked?: 'exceeds_payout' | 'other_currency';
}

/** Why it takes operators to go on with a payout, or to make sure of one that has ended. */
export type AttentionReason =
  /** The growing distances of lookups are through. */
  | 'outcome_unknown'
  /** The provider answers with another amount, currency or reference under ours. */
  | 'answer_differs'
  /** The provider has answered PAID and FAILED. */
  | 'contradiction'
  /** Two providers have paid: the money has left twice. */
  | 'paid_twice'
  /** No provider takes it: each lacks our money, may not do it, is switched off or cannot be reached. It is sent again and again. */
  | 'no_provider'
  /** It has not been handed to a provider, and its account was frozen before it was: it goes on when the freeze is lifted. */
  | 'account_frozen'
  /** More came back than was paid, or in another currency: that part is not in the balance. */
  | 'return_not_booked'
  /** A report about it is old, and no answer confirms it. */
  | 'told_unconfirmed'
  /** The provider had accepted it, and does not find it any more. */
  | 'accepted_not_found';

/** What was reported of a payout in a provider's name, as long as no answer to our own question confirms it. */
export interface Unconfirmed {
  /** ISO 8601 UTC with milliseconds. */
  readonly since: string;
  /** Another outcome than the one on record. */
  readonly outcome: boolean;
  /** Returns, by their ids at the provider. */
  readonly returnIds: readonly string[];
}

/** A row of `payout`; the migration says what its columns mean. */
export const PayoutEntity = defineEntity({
  name: 'Payout',
  tableName: 'payout',
  properties: {
    environment: p.string().$type<Environment>().primary(),
    accountId: p.string().primary(),
    id: p.string().primary(),
    externalId: p.string(),
    state: p.string().$type<PayoutState>(),
    version: p.integer(),
    currency: p.string().$type<Currency>(),
    paymentMethod: p.string().$type<PaymentMethod>(),
    amount: p.bigint('number'),
    fee: p.bigint('number'),
    returned: p.bigint('number'),
    key: p.string(),
    keyType: p.string().$type<PayoutKeyType>(),
    recipient: p.json<Recipient>(),
    kind: p.string().$type<PayoutKind>(),
    verifyOwner: p.boolean(),
    needsApproval: p.boolean(),
    pendingReason: p.string().$type<PendingReason>().nullable(),
    metadata: p.json<Metadata>(),
    apiVersion: p.string().$type<ApiVersion>(),
    provider: p.string(),
    reference: p.string(),
    providerRef: p.string().nullable(),
    e2eId: p.string().nullable(),
    sentAt: p.datetime(3).nullable(),
    callStartedAt: p.datetime(3).nullable(),
    calledAt: p.datetime(3).nullable(),
    processingAt: p.datetime(3).nullable(),
    lookups: p.integer(),
    notFoundCount: p.integer(),
    notFoundSince: p.datetime(3).nullable(),
    reversal: p.string().$type<Reversal>().nullable(),
    failureReason: p.string().nullable(),
    providerMessage: p.string().nullable(),
    paidAt: p.datetime(3).nullable(),
    decidedBy: p.string().nullable(),
    decisionReason: p.string().nullable(),
    attentionAt: p.datetime(3).nullable(),
    attentionReason: p.string().$type<AttentionReason>().nullable(),
    resolution: p.json<PayoutResolution>().nullable(),
    returns: p.json<readonly PayoutReturn[]>(),
    releasedAt: p.datetime(3).nullable(),
    refusedBy: p.json<readonly string[]>(),
    failedCalls: p.json<readonly FailedCalls[]>(),
    alsoPaidBy: p.json<readonly string[]>(),
    knownUnsent: p.boolean(),
    recheckAt: p.datetime(3).nullable(),
    rechecks: p.integer(),
    unconfirmed: p.json<Unconfirmed>().nullable(),
    dueAt: p.datetime(3).nullable(),
    trace: p.json<Record<string, string>>(),
    createdAt: p.datetime(3),
  },
});

export type PayoutRow = Readonly<Omit<InferEntity<typeof PayoutEntity>, symbol>>;

export const payoutColumns = new EntityColumns<PayoutRow>(PayoutEntity);
