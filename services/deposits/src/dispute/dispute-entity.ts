import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type {
  Dispute,
  DisputeAttention,
  DisputeEntry,
  DisputeResolution,
  EvidenceStatus,
  StoredFile,
} from '@gateway/contracts/deposits';
import type { Environment } from '@gateway/contracts/values';
import type { Currency } from '@gateway/money';
import { EntityColumns } from '@gateway/persistence';
import type { DisputeState } from '#src/dispute/life-cycle.ts';

export interface RecordedResolution extends DisputeResolution {
  /** By the provider's clock: what it reported until then is settled by this. */
  readonly settlesUntil: string;
}

/** A row of `dispute`; the migration says what its columns mean. */
export const DisputeEntity = defineEntity({
  name: 'Dispute',
  tableName: 'dispute',
  properties: {
    environment: p.string().$type<Environment>().primary(),
    accountId: p.string().primary(),
    id: p.string().primary(),
    depositId: p.string(),
    externalId: p.string(),
    provider: p.string(),
    disputeRef: p.string(),
    round: p.integer(),
    providerRef: p.string().nullable(),
    e2eId: p.string(),
    currency: p.string().$type<Currency>(),
    amount: p.bigint('number'),
    blocked: p.bigint('number'),
    returned: p.bigint('number'),
    /** What a lost dispute that was won after all gave back. */
    overturned: p.bigint('number').nullable(),
    shortfall: p.bigint('number'),
    reason: p.string().$type<NonNullable<Dispute['reason']>>().nullable(),
    state: p.string().$type<DisputeState>(),
    verdict: p.string().$type<'won' | 'lost'>().nullable(),
    verdictAt: p.datetime(3).nullable(),
    lostAmount: p.bigint('number').nullable(),
    /** Of those lost in part before the ledger could split a dispute: the one that holds the lost part there. */
    lostId: p.string().nullable(),
    openedAt: p.datetime(3),
    defenseDueAt: p.datetime(3).nullable(),
    resolvedAt: p.datetime(3).nullable(),
    attempts: p.integer(),
    nextAttemptAt: p.datetime(3).nullable(),
    stepSince: p.datetime(3).nullable(),
    reopenedAfter: p.datetime(3).nullable(),
    extendedBy: p.string().nullable(),
    holdingSequence: p.bigint('number'),
    traceId: p.string().nullable(),
    attentionAt: p.datetime(3).nullable(),
    attention: p.string().$type<DisputeAttention>().nullable(),
    resolution: p.json<RecordedResolution>().nullable(),
    entry: p.json<DisputeEntry>().nullable(),
  },
});

export type DisputeRow = Readonly<Omit<InferEntity<typeof DisputeEntity>, symbol>>;

export const disputeColumns = new EntityColumns<DisputeRow>(DisputeEntity);

/** A row of `dispute_evidence`; KEPT where the provider takes no evidence over its interface and operators hand it over. */
export const EvidenceEntity = defineEntity({
  name: 'Evidence',
  tableName: 'dispute_evidence',
  properties: {
    environment: p.string().$type<Environment>().primary(),
    accountId: p.string().primary(),
    disputeId: p.string().primary(),
    id: p.string().primary(),
    text: p.text(),
    urls: p.json<string[]>(),
    files: p.json<StoredFile[]>(),
    createdAt: p.datetime(3),
    state: p.string().$type<EvidenceStatus | 'KEPT'>(),
    failure: p.string().nullable(),
    sentAt: p.datetime(3).nullable(),
    attempts: p.integer(),
    nextAttemptAt: p.datetime(3).nullable(),
  },
});

export type EvidenceRow = Readonly<Omit<InferEntity<typeof EvidenceEntity>, symbol>>;
