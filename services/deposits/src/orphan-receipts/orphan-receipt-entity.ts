import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Environment } from '@gateway/contracts/values';
import type { Currency } from '@gateway/money';
import type { ReturnAttention, ReturnResolution } from '#src/returns/attention.ts';

/** Why the money is nobody's: its deposit was canceled or paid already, or it does not even cover the fee, or is in another currency. */
export type OrphanCause = 'canceled' | 'second_payment' | 'within_fee' | 'over_limit' | 'other_currency';

/**
 * - RETURNING: its provider is asked until it has sent it back.
 * - BOOKING: it has gone back, and the ledger has not been told yet.
 * - FAILED: for an operator to look at.
 */
export type OrphanState = 'RETURNING' | 'BOOKING' | 'RETURNED' | 'FAILED';

/** A row of `orphan_receipt`; the migrations say what its columns mean. */
export const OrphanReceiptEntity = defineEntity({
  name: 'OrphanReceipt',
  tableName: 'orphan_receipt',
  properties: {
    environment: p.string().$type<Environment>().primary(),
    provider: p.string().primary(),
    e2eId: p.string().primary(),
    id: p.string(),
    accountId: p.string(),
    depositId: p.string(),
    cause: p.string().$type<OrphanCause>(),
    state: p.string().$type<OrphanState>(),
    currency: p.string().$type<Currency>(),
    amount: p.bigint('number'),
    paidAt: p.datetime(3),
    sentAt: p.datetime(3),
    providerRef: p.string().nullable(),
    returnId: p.string().nullable(),
    failure: p.string().nullable(),
    attempts: p.integer(),
    nextAttemptAt: p.datetime(3).nullable(),
    returningSince: p.datetime(3),
    callStartedAt: p.datetime(3).nullable(),
    unknownSince: p.datetime(3).nullable(),
    notFoundCount: p.integer(),
    notFoundSince: p.datetime(3).nullable(),
    calledAt: p.datetime(3).nullable(),
    recheckAt: p.datetime(3).nullable(),
    rechecks: p.integer(),
    attentionAt: p.datetime(3).nullable(),
    attention: p.string().$type<ReturnAttention>().nullable(),
    resolution: p.json<ReturnResolution>().nullable(),
  },
});

export type OrphanReceiptRow = Readonly<Omit<InferEntity<typeof OrphanReceiptEntity>, symbol>>;
