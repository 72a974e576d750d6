import type { LedgerResult } from '@gateway/contracts';
import { firstDifference, type LedgerRequest } from '#src/chain/canonical-request.ts';
import { linkHash } from '#src/chain/link.ts';
import { linkContentOf } from '#src/chain/link-content.ts';
import { applyCommand, type Moment } from '#src/posting/apply-command.ts';
import { conflictResult, resultOf, unknownProviderResult, type Decision } from '#src/posting/decision.ts';
import { baseOf, Draft } from '#src/posting/draft.ts';
import type { Reference } from '#src/posting/reference.ts';
import type { ShardName } from '#src/shards.ts';
import type { ChainHead, LedgerState, StateChange } from '#src/state/ledger-state.ts';

/** A command id that was decided before. */
export interface EarlierDecision {
  readonly requestHash: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly result: LedgerResult;
}

/** What PostgreSQL knows about a batch: decided ids, and the records its commands refer to. */
export interface KnownRecords {
  readonly decided: ReadonlyMap<string, EarlierDecision>;
  readonly references: ReadonlyMap<string, Reference>;
}

export interface BatchOutcome {
  /** One answer per command, in their order. */
  readonly answers: readonly LedgerResult[];
  /** What is new and has to be written; empty when every command had been decided before. */
  readonly decisions: readonly Decision[];
  /** The same, as a later batch has to know it. */
  readonly decided: ReadonlyMap<string, EarlierDecision>;
  readonly change: StateChange;
}

/**
 * The ledger, without any I/O: decides a batch of commands in order, each once. An id that was decided before, in
 * PostgreSQL or earlier in the batch, gets its stored answer, or a conflict, before anything else is looked at. What names a
 * provider nobody told of is no decision.
 */
export function apply(
  shard: ShardName,
  state: LedgerState,
  known: KnownRecords,
  requests: readonly LedgerRequest[],
  moment: Moment,
): BatchOutcome {
  const draft = new Draft(baseOf(state, known.references));
  const decidedNow = new Map<string, EarlierDecision>();
  const decisions: Decision[] = [];
  const answers: LedgerResult[] = [];
  let head: ChainHead = state.head;

  for (const request of requests) {
    const { command, hash: requestHash } = request;
    const earlier = decidedNow.get(command.id) ?? known.decided.get(command.id);
    if (earlier) {
      answers.push(answerAgain(request, earlier));
      continue;
    }
    if ('provider' in command && !state.knowsProvider(command.provider)) {
      answers.push(unknownProviderResult(command.id));
      continue;
    }
    const decision = chained(shard, head, {
      command,
      request: request.text,
      requestHash,
      decidedAtMs: moment.atMs,
      ...applyCommand(draft, command, moment),
    });
    const result = resultOf(decision, false);
    decidedNow.set(command.id, { requestHash, request: command, result });
    decisions.push(decision);
    answers.push(result);
    head = { sequence: decision.sequence, hash: decision.hash, decidedAtMs: moment.atMs };
  }
  return { answers, decisions, decided: decidedNow, change: changeOf(draft, state, known, head) };
}

function answerAgain({ command, hash }: LedgerRequest, earlier: EarlierDecision): LedgerResult {
  if (hash === earlier.requestHash) return { ...earlier.result, replayed: true };
  return conflictResult(command.id, firstDifference(command, earlier.request));
}

function chained(shard: ShardName, head: ChainHead, judged: Omit<Decision, 'sequence' | 'hash'>): Decision {
  const sequence = head.sequence + 1;
  return { ...judged, sequence, hash: linkHash(head.hash, linkContentOf(shard, { ...judged, sequence })) };
}

/** One write per row and batch, however many commands touched it. */
function changeOf(draft: Draft, state: LedgerState, known: KnownRecords, head: ChainHead): StateChange {
  const references = [...draft.references.values()];
  // A record may also come from the memory of shortfalls, without having been asked for.
  const isNew = (reference: Reference) =>
    !known.references.has(reference.id) && (reference.kind === 'deposit' || !state.owes(reference));
  return {
    merchants: [...draft.merchants.values()].map((balance) => ({ ...balance, version: balance.version + 1 })),
    systems: [...draft.systems.values()].map((balance) => ({ ...balance, version: balance.version + 1 })),
    references,
    newReferences: new Set(references.filter(isNew).map(({ id }) => id)),
    head,
  };
}
