import type { LedgerResult } from '@gateway/contracts/ledger';
import { firstDifference, type LedgerRequest } from '#src/chain/canonical-request.ts';
import { linkHash } from '#src/chain/link.ts';
import { applyCommand, type DecisionContext } from '#src/decision/apply-command.ts';
import { conflictResult, resultOf, unknownProviderResult, type Decision } from '#src/decision/decision.ts';
import { linkContentOf } from '#src/decision/link-content.ts';
import type { Reference } from '#src/posting/reference.ts';
import type { ShardName } from '#src/shards.ts';
import type { ChainHead, LedgerState, StateChange } from '#src/state/ledger-state.ts';
import { baseOf, Overlay } from '#src/state/overlay.ts';

/** A command id that was decided before. */
export interface EarlierDecision {
  readonly requestHash: string;
  /** Null where the month of the decision was detached. */
  readonly request: Readonly<Record<string, unknown>> | null;
  readonly result: LedgerResult;
}

/** What PostgreSQL holds about a batch: ids that were decided, and the records its commands refer to. */
export interface KnownRecords {
  readonly decided: ReadonlyMap<string, EarlierDecision>;
  readonly references: ReadonlyMap<string, Reference>;
}

export interface BatchOutcome {
  /** One answer per command, in their order. */
  readonly answers: readonly LedgerResult[];
  /** The new decisions, which have to be written; none when every command had been decided before. */
  readonly decisions: readonly Decision[];
  /** The new decisions by command id, for the batch that is decided before they are committed. */
  readonly decided: ReadonlyMap<string, EarlierDecision>;
  readonly change: StateChange;
}

/**
 * The ledger without any I/O: decides a batch of commands in order, each once. A command whose id was decided before,
 * in PostgreSQL or earlier in the batch, is answered with the stored result, or with a conflict, before any rule runs.
 * A command for a provider that is not registered is answered and not decided.
 */
export function apply(
  shard: ShardName,
  state: LedgerState,
  known: KnownRecords,
  requests: readonly LedgerRequest[],
  context: DecisionContext,
): BatchOutcome {
  const overlay = new Overlay(baseOf(state, known.references));
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
      decidedAtMs: context.atMs,
      ...applyCommand(overlay, command, context),
    });
    const result = resultOf(decision, { shard: shard.shard, incarnation: state.incarnation });
    decidedNow.set(command.id, { requestHash, request: command, result });
    decisions.push(decision);
    answers.push(result);
    head = { sequence: decision.sequence, hash: decision.hash, decidedAtMs: context.atMs };
  }
  return { answers, decisions, decided: decidedNow, change: changeOf(overlay, state, known, head) };
}

function answerAgain({ command, hash }: LedgerRequest, earlier: EarlierDecision): LedgerResult {
  if (hash === earlier.requestHash) return { ...earlier.result, replayed: true };
  return conflictResult(command.id, earlier.request && firstDifference(command, earlier.request));
}

function chained(shard: ShardName, head: ChainHead, outcome: Omit<Decision, 'sequence' | 'hash'>): Decision {
  const decision = { ...outcome, sequence: head.sequence + 1, hash: '' };
  decision.hash = linkHash(head.hash, linkContentOf(shard, decision));
  return decision;
}

/** One write per row and batch, however many of its commands changed the row. */
function changeOf(overlay: Overlay, state: LedgerState, known: KnownRecords, head: ChainHead): StateChange {
  const references = [...overlay.references.values()];
  // A record may also come from the shortfalls in memory, without having been looked up.
  const isNew = (reference: Reference) =>
    !known.references.has(reference.id) && (reference.kind === 'deposit' || !state.owes(reference));
  return {
    merchants: [...overlay.merchants.values()].map((balance) => ({ ...balance, version: balance.version + 1 })),
    systems: [...overlay.systems.values()].map((balance) => ({ ...balance, version: balance.version + 1 })),
    references,
    newReferences: new Set(references.filter(isNew).map(({ id }) => id)),
    head,
  };
}
