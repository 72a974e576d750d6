import { LockMode } from '@mikro-orm/core';
import { toProviderReference } from '@gateway/pix';
import type { EvidenceInput } from '@gateway/providers';
import type { DisputeDependencies } from '#src/dispute/dependencies.ts';
import { DisputeEntity, type DisputeRow, EvidenceEntity, type EvidenceRow } from '#src/dispute/dispute-entity.ts';
import { nextAttempt } from '#src/returns/return-schedule.ts';
import { routeOf } from '#src/routing/charge-routes.ts';

const batchMax = 20;
const sendTimeoutMs = 8_000;
/** In characters; what providers keep as the description of a document. */
const textBesideDocumentMax = 2_000;

/** Sends merchants' evidence to the providers of their disputes. Answers true when there may be more. */
export async function sendEvidence(dependencies: DisputeDependencies): Promise<boolean> {
  const due = await claimDue(dependencies);
  await Promise.all(due.map((evidence) => send(dependencies, evidence)));
  return due.length === batchMax;
}

async function claimDue({ database, now }: DisputeDependencies): Promise<EvidenceRow[]> {
  return await database.transaction(async (tx) => {
    const due = await tx.em.find(
      EvidenceEntity,
      { nextAttemptAt: { $lte: now() } },
      { orderBy: { nextAttemptAt: 'asc' }, limit: batchMax, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
    );
    for (const evidence of due) {
      evidence.nextAttemptAt = nextAttempt(evidence.attempts, now());
      evidence.attempts += 1;
    }
    return due;
  });
}

async function send(dependencies: DisputeDependencies, evidence: EvidenceRow): Promise<void> {
  const { database, chargeRoutes, logger, now } = dependencies;
  const { environment, accountId, disputeId, state } = evidence;
  const dispute = await database.reader().findOneOrFail(DisputeEntity, { environment, accountId, id: disputeId });
  if (dispute.verdict) return await end(dependencies, evidence, decidedBefore(state));
  const provider = routeOf(chargeRoutes, environment, dispute.provider)?.provider;
  if (!provider) return logger.warn({ disputeId, provider: dispute.provider }, 'provider is not configured');
  if (!provider.submitEvidence) return await keepForOperators(dependencies, evidence);
  const signal = AbortSignal.timeout(sendTimeoutMs);
  const outcome = await provider.submitEvidence(inputOf(dependencies, dispute, evidence), { signal });
  switch (outcome.kind) {
    case 'accepted':
      return await end(dependencies, evidence, { state: 'ACCEPTED', sentAt: now() });
    case 'refused':
      return await end(dependencies, evidence, { state: 'REFUSED', sentAt: now(), failure: outcome.message });
    case 'unknown':
      await note(dependencies, evidence, { state: 'SENT', sentAt: now() });
      break;
    case 'not_sent':
      break;
  }
  logger.warn({ disputeId, outcome: outcome.kind, cause: outcome.cause }, 'evidence could not be sent yet');
}

/**
 * Providers fetch documents, ours by links that open nothing else. Those that take documents alone fetch the text from us
 * too: where it is all there is, and where it is longer than they keep beside a document.
 */
function inputOf({ evidenceUrlOf }: DisputeDependencies, dispute: DisputeRow, evidence: EvidenceRow): EvidenceInput {
  const { disputeRef, e2eId, providerRef } = dispute;
  const { text, urls, files } = evidence;
  const isAlone = urls.length === 0 && files.length === 0;
  const ownUrl = isAlone || text.length > textBesideDocumentMax ? evidenceUrlOf(evidence) : null;
  const fileUrls = files.map(({ id }) => evidenceUrlOf({ ...evidence, id }));
  const documentUrls = [ownUrl, ...fileUrls, ...urls].filter((url) => url !== null);
  const input = { disputeRef, e2eId, ref: toProviderReference(evidence.id), text, documentUrls };
  return { ...input, ...(providerRef ? { providerRef } : {}) };
}

interface Fate {
  readonly state: EvidenceRow['state'];
  readonly sentAt?: Date;
  /** The provider's own words. */
  readonly failure?: string;
}

/** What was handed over without an answer may have been read; the rest came too late. */
function decidedBefore(state: EvidenceRow['state']): Fate {
  return { state: state === 'SENT' ? state : 'REFUSED' };
}

/** The provider decides by what it has, so an operator has to hand it over before the time for that is over. */
async function keepForOperators(dependencies: DisputeDependencies, evidence: EvidenceRow): Promise<void> {
  const { environment, accountId, disputeId } = evidence;
  dependencies.logger.error({ disputeId }, 'evidence has to be handed to the provider by hand');
  await dependencies.database.query(
    `update dispute set attention = 'evidence', attention_at = $4
     where environment = $1 and account_id = $2 and id = $3 and attention_at is null and environment = 'live'`,
    [environment, accountId, disputeId, dependencies.now()],
  );
  await end(dependencies, evidence, { state: 'KEPT' });
}

async function end(dependencies: DisputeDependencies, evidence: EvidenceRow, fate: Fate): Promise<void> {
  await note(dependencies, evidence, fate);
  const { environment, accountId, disputeId, id } = evidence;
  await dependencies.database.query(
    `update dispute_evidence set next_attempt_at = null
     where environment = $1 and account_id = $2 and dispute_id = $3 and id = $4`,
    [environment, accountId, disputeId, id],
  );
}

async function note(
  { database }: DisputeDependencies,
  evidence: EvidenceRow,
  { state, sentAt, failure }: Fate,
): Promise<void> {
  const { environment, accountId, disputeId, id } = evidence;
  await database.query(
    `update dispute_evidence set state = $5, sent_at = coalesce($6, sent_at), failure = $7
     where environment = $1 and account_id = $2 and dispute_id = $3 and id = $4`,
    [environment, accountId, disputeId, id, state, sentAt ?? null, failure ?? null],
  );
}
