import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Environment } from '@gateway/contracts/values';
import type { Currency } from '@gateway/money';
import { EntityColumns } from '@gateway/persistence';
import type { RefundState } from '#src/refund/life-cycle.ts';
import { returnColumns } from '#src/returns/return-record.ts';

/** Why a refund came back, as its provider says. */
export interface ComeBack {
  readonly failureReason: string;
  readonly failureMessage: string;
}

/** A row of `refund`; the migration says what its columns mean. */
export const RefundEntity = defineEntity({
  name: 'Refund',
  tableName: 'refund',
  properties: {
    environment: p.string().$type<Environment>().primary(),
    accountId: p.string().primary(),
    id: p.string().primary(),
    depositId: p.string(),
    externalId: p.string(),
    state: p.string().$type<RefundState>(),
    provider: p.string(),
    /** The payment that goes back; with `trackingKey`, as that of a payment. */
    e2eId: p.string(),
    trackingKey: p.string().nullable(),
    currency: p.string().$type<Currency>(),
    amount: p.bigint('number'),
    depositAmount: p.bigint('number'),
    reason: p.string().nullable(),
    createdAt: p.datetime(3),
    sentAt: p.datetime(3),
    providerRef: p.string().nullable(),
    returnId: p.string().nullable(),
    traceId: p.string().nullable(),
    failureReason: p.string().nullable(),
    failureMessage: p.string().nullable(),
    finishedAt: p.datetime(3).nullable(),
    /** Set where it was sent, and the money has come back since: the last time. */
    cameBackAt: p.datetime(3).nullable(),
    comeBacks: p.integer(),
    /** Found to have come back before the balance had paid for it again: it comes back once it is DONE. */
    comeBack: p.json<ComeBack>().nullable(),
    /** When what was reserved for a creation that was given up went back; it has no external_id since. */
    releasedAt: p.datetime(3).nullable(),
    ...returnColumns(),
  },
});

export type RefundRow = Readonly<Omit<InferEntity<typeof RefundEntity>, symbol>>;

export const refundColumns = new EntityColumns<RefundRow>(RefundEntity);
