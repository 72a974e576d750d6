import type {
  Balance,
  ChainLink,
  LedgerCommand,
  LedgerEntry,
  LedgerRefusal,
  LedgerResult,
} from '@gateway/contracts/ledger';
import type { Posting } from '#src/posting/posting.ts';
import type { ShortReference } from '#src/posting/reference.ts';

/** An entry with its place in the statement of its balance. */
export interface NumberedEntry extends LedgerEntry {
  /** 1, 2, 3 … per account and currency, without gaps. */
  readonly number: number;
}

/** A decided command: the content of its result row and of its link in the hash chain. */
export interface Decision {
  readonly sequence: number;
  readonly command: LedgerCommand;
  /** The command's canonical text and its hash. */
  readonly request: string;
  readonly requestHash: string;
  readonly outcome: 'applied' | 'refused';
  readonly refusal: LedgerRefusal | null;
  readonly balances: readonly Balance[];
  readonly amounts: Readonly<Record<string, number>>;
  readonly postings: readonly Posting[];
  readonly entries: readonly NumberedEntry[];
  /** Other records that changed with it, as they are afterwards: a credit paid into them, or their time ended. */
  readonly alsoChanged: readonly ShortReference[];
  readonly decidedAtMs: number;
  /** This decision's link of the chain. */
  readonly hash: string;
}

/** What a command came to, before the decision has its place in the chain. */
export type CommandOutcome = Pick<
  Decision,
  'outcome' | 'refusal' | 'balances' | 'amounts' | 'postings' | 'entries' | 'alsoChanged'
>;

/** The answer to a new decision. */
export function resultOf(
  decision: Pick<Decision, 'command' | 'sequence' | 'hash'> & CommandOutcome,
  { shard, incarnation }: Pick<ChainLink, 'shard' | 'incarnation'>,
): LedgerResult {
  return {
    commandId: decision.command.id,
    outcome: decision.outcome,
    refusal: decision.refusal,
    field: null,
    balances: [...decision.balances],
    amounts: { ...decision.amounts },
    replayed: false,
    link: { shard, incarnation, sequence: decision.sequence, hash: decision.hash },
  };
}

/** @param field the first member that differs; null where the earlier request is not in the database */
export function conflictResult(commandId: string, field: string | null): LedgerResult {
  return {
    commandId,
    outcome: 'conflict',
    refusal: null,
    field,
    balances: [],
    amounts: {},
    replayed: false,
    link: null,
  };
}

/** The answer while the provider is not registered. It is not stored, so the id can be used again. */
export function unknownProviderResult(commandId: string): LedgerResult {
  return { ...invalidCommandResult(commandId, 'provider'), refusal: 'unknown_provider' };
}

/** The answer to a message that has a command id but is no command. It is not stored, so the id can be used again. */
export function invalidCommandResult(commandId: string, field: string | null): LedgerResult {
  const refusal = 'invalid_command';
  return { commandId, outcome: 'refused', refusal, field, balances: [], amounts: {}, replayed: false, link: null };
}
