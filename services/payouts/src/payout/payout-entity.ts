import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type {
  ApiVersion,
  Currency,
  Environment,
  PaymentMethod,
  PayoutKeyType,
  PayoutKind,
  PayoutResolution,
  Recipient,
} from '@gateway/contracts';
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
    metadata: p.json<Record<string, string>>(),
    apiVersion: p.string().$type<ApiVersion>(),
    provider: p.string(),
    reference: p.string(),
    providerRef: p.string().nullable(),
    e2eId: p.string().nullable(),
    sentAt: p.datetime(3).nullable(),
    callStartedAt: p.datetime(3).nullable(),
    processingAt: p.datetime(3).nullable(),
    lookups: p.integer(),
    notFoundCount: p.integer(),
    notFoundSince: p.datetime(3).nullable(),
    reversal: p.string().$type<Reversal>().nullable(),
    failureReason: p.string().nullable(),
    failureMessage: p.string().nullable(),
    paidAt: p.datetime(3).nullable(),
    decidedBy: p.string().nullable(),
    decisionReason: p.string().nullable(),
    attentionAt: p.datetime(3).nullable(),
    resolution: p.json<PayoutResolution>().nullable(),
    returns: p.json<readonly PayoutReturn[]>(),
    redebits: p.integer(),
    releasedAt: p.datetime(3).nullable(),
    dueAt: p.datetime(3).nullable(),
    trace: p.json<Record<string, string>>(),
    createdAt: p.datetime(3),
  },
});

export type PayoutRow = Readonly<Omit<InferEntity<typeof PayoutEntity>, symbol>>;
