import { LockMode } from '@mikro-orm/core';
import { toProviderReference } from '@gateway/pix';
import type { Dependencies } from '#src/dependencies.ts';
import { DisputeEntity } from '#src/dispute/dispute-entity.ts';
import { EvidenceEntity, type EvidenceRow } from '#src/dispute/evidence-entity.ts';
import { routeOf } from '#src/providers/charge-routes.ts';
import { nextAttempt } from '#src/returns/retry-distance.ts';

const batchMax = 20;
const sendTimeoutMs = 8_000;

/** Sends merchants' evidence to the providers of their disputes. Answers true when there may be more. */
export async function sendEvidence(dependencies: Dependencies): Promise<boolean> {
  const due = await claimDue(dependencies);
  await Promise.all(due.map((evidence) => send(dependencies, evidence)));
  return due.length === batchMax;
}

async function claimDue({ database, now }: Dependencies): Promise<EvidenceRow[]> {
  return await database.transaction(async (tx) => {
    const due = await tx.em.find(
      EvidenceEntity,
      { state: 'WAITING', nextAttemptAt: { $lte: now() } },
      { orderBy: { nextAttemptAt: 'asc' }, limit: batchMax, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
    );
    for (const evidence of due) {
      evidence.nextAttemptAt = nextAttempt(evidence.attempts, now());
      evidence.attempts += 1;
    }
    return due;
  });
}

async function send(dependencies: Dependencies, evidence: EvidenceRow): Promise<void> {
  const { database, chargeRoutes, logger } = dependencies;
  const { environment, accountId, disputeId, id } = evidence;
  const dispute = await database.reader().findOneOrFail(DisputeEntity, { environment, accountId, id: disputeId });
  const provider = routeOf(chargeRoutes, environment, dispute.provider)?.provider;
  if (!provider) return logger.warn({ disputeId, provider: dispute.provider }, 'provider is not configured');
  if (!provider.submitEvidence) return await end(dependencies, evidence, 'KEPT', null);
  const { disputeRef, e2eId, providerRef } = dispute;
  const { text, urls: documentUrls } = evidence;
  const input = { disputeRef, e2eId, ref: toProviderReference(id), text, documentUrls };
  const signal = AbortSignal.timeout(sendTimeoutMs);
  const outcome = await provider.submitEvidence({ ...input, ...(providerRef ? { providerRef } : {}) }, { signal });
  if (outcome.kind === 'accepted') return await end(dependencies, evidence, 'SENT', null);
  if (outcome.kind === 'refused') return await end(dependencies, evidence, 'REFUSED', outcome.message);
  logger.warn({ disputeId, outcome: outcome.kind, cause: outcome.cause }, 'evidence could not be sent yet');
}

async function end(
  { database }: Dependencies,
  { environment, accountId, disputeId, id }: EvidenceRow,
  state: EvidenceRow['state'],
  failure: string | null,
): Promise<void> {
  await database.query(
    `update dispute_evidence set state = $5, failure = $6, next_attempt_at = null
     where environment = $1 and account_id = $2 and dispute_id = $3 and id = $4`,
    [environment, accountId, disputeId, id, state, failure],
  );
}
