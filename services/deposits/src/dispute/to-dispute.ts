import {
  type Dispute,
  type DisputeOutcome,
  type DisputeStatus,
  type Evidence,
  type EvidenceFailure,
  evidenceFailureMessageOf,
  type OperatorDispute,
} from '@gateway/contracts/deposits';
import type { Tx } from '@gateway/persistence';
import { type DisputeRow, EvidenceEntity, type EvidenceRow } from '#src/dispute/dispute-entity.ts';
import type { DisputeState } from '#src/dispute/life-cycle.ts';

/** The record as other services and merchants see it. */
export function toDispute(row: DisputeRow, evidence: readonly EvidenceRow[]): Dispute {
  return {
    id: row.id,
    environment: row.environment,
    accountId: row.accountId,
    depositId: row.depositId,
    externalId: row.externalId,
    e2eId: row.e2eId,
    currency: row.currency,
    amount: row.amount,
    blocked: row.blocked,
    returned: row.returned,
    reason: row.reason ?? null,
    status: publicStatus(row.state),
    openedAt: row.openedAt.toISOString(),
    defenseDueAt: row.defenseDueAt?.toISOString() ?? null,
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    evidence: evidence.map(toEvidence),
  };
}

/** With what only operators see of it. */
export function toOperatorDispute(row: DisputeRow, evidence: readonly EvidenceRow[]): OperatorDispute {
  return {
    ...toDispute(row, evidence),
    evidence: evidence.map((each) => ({ ...toEvidence(each), providerMessage: providerMessageOf(each) })),
    provider: row.provider,
    disputeRef: row.disputeRef,
    traceId: row.traceId ?? null,
    shortfall: row.shortfall,
    verdict: row.verdict ?? null,
    stepSince: row.stepSince?.toISOString() ?? null,
    attentionAt: row.attentionAt?.toISOString() ?? null,
    attention: row.attention ?? null,
    resolution: row.resolution ?? null,
    entry: row.entry ?? null,
    outcomes: [...outcomesOf(row)],
  };
}

/**
 * What two operators may state of a dispute: of one whose provider contradicts itself how it ended, or that the record is
 * right; of one that they entered how it was decided, since its provider may not report that either.
 */
export function outcomesOf({
  state,
  attention,
  entry,
  verdict,
}: Pick<DisputeRow, 'state' | 'attention' | 'entry' | 'verdict'>): readonly DisputeOutcome[] {
  if (attention === 'contradiction') return ['stands', 'won', 'lost'];
  return entry && !verdict && state !== 'OPENING' ? ['won', 'lost'] : [];
}

/** With the evidence that was sent against each. */
export async function withEvidence<Shown>(
  em: Pick<Tx['em'], 'find'>,
  rows: readonly DisputeRow[],
  show: (row: DisputeRow, evidence: readonly EvidenceRow[]) => Shown,
): Promise<Shown[]> {
  const ids = rows.map(({ id }) => id);
  const accounts = [...new Set(rows.map(({ accountId }) => accountId))];
  const environments = [...new Set(rows.map(({ environment }) => environment))];
  const of = { environment: { $in: environments }, accountId: { $in: accounts }, disputeId: { $in: ids } };
  const evidence: EvidenceRow[] = ids.length === 0 ? [] : await em.find(EvidenceEntity, of, { orderBy: { id: 'asc' } });
  return rows.map((row) =>
    show(
      row,
      evidence.filter(({ disputeId }) => disputeId === row.id),
    ),
  );
}

/** One dispute as operators see it. */
export async function shownToOperators(em: Pick<Tx['em'], 'find'>, row: DisputeRow): Promise<OperatorDispute> {
  const [shown] = await withEvidence(em, [row], toOperatorDispute);
  return shown ?? toOperatorDispute(row, []);
}

/** One dispute, with the evidence that was sent against it. */
export async function shownDispute(em: Pick<Tx['em'], 'find'>, row: DisputeRow): Promise<Dispute> {
  const [shown] = await withEvidence(em, [row], toDispute);
  return shown ?? toDispute(row, []);
}

/** What is kept for operators to hand over waits, as far as its merchant is concerned. */
function toEvidence(row: EvidenceRow): Evidence {
  const { text, urls, files, state, sentAt } = row;
  const failureReason = failureOf(row);
  const failureMessage = failureReason && evidenceFailureMessageOf(failureReason);
  const status = state === 'KEPT' ? 'WAITING' : state;
  // The files of one submission are handed over in one call, and share its state.
  const shown = files.map((file) => ({ ...file, status: state === 'ACCEPTED' ? ('SENT' as const) : state }));
  return { text, urls, files: shown, status, sentAt: sentAt?.toISOString() ?? null, failureReason, failureMessage };
}

/** What was refused without having been handed over came too late. */
function failureOf({ state, sentAt }: EvidenceRow): EvidenceFailure | null {
  if (state === 'KEPT') return 'by_hand';
  if (state !== 'REFUSED') return null;
  return sentAt ? 'refused' : 'too_late';
}

/** Of any other failure a row of earlier days has a sentence of ours, which says no more than the reason. */
function providerMessageOf(row: EvidenceRow): string | null {
  return failureOf(row) === 'refused' ? (row.failure ?? null) : null;
}

function publicStatus(state: DisputeState): DisputeStatus {
  if (state === 'OPENING') throw new Error('a dispute that is being opened has no public form');
  return state;
}
