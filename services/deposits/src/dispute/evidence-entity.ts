import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { EvidenceStatus } from '@gateway/contracts/deposits';
import type { Environment } from '@gateway/contracts/values';

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
    createdAt: p.datetime(3),
    state: p.string().$type<EvidenceStatus | 'KEPT'>(),
    failure: p.string().nullable(),
    sentAt: p.datetime(3).nullable(),
    attempts: p.integer(),
    nextAttemptAt: p.datetime(3).nullable(),
  },
});

export type EvidenceRow = Readonly<Omit<InferEntity<typeof EvidenceEntity>, symbol>>;
