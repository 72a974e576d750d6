import type { Balance, LedgerCommand, LedgerEntry, LedgerRefusal, LedgerResult } from '@gateway/contracts';
import type { Posting } from '#src/posting/posting.ts';
import type { ShortReference } from '#src/posting/reference.ts';

/** An entry with its place in the statement of its balance. */
export interface NumberedEntry extends LedgerEntry {
  /** 1, 2, 3 … per account and currency, without gaps. */
  readonly number: number;
}

/** What was decided about one command: the content of its result row and of its link in the chain. */
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
  /** Records of their own that changed with it: a credit paid into them, or they lapsed. As they stand after it. */
  readonly changedBeside: readonly ShortReference[];
  readonly decidedAtMs: number;
  /** This decision's link of the chain. */
  readonly hash: string;
}

/** A decision before it has its place in the chain. */
export type Judgement = Pick<
  Decision,
  'outcome' | 'refusal' | 'balances' | 'amounts' | 'postings' | 'entries' | 'changedBeside'
>;

export function resultOf(decision: Pick<Decision, 'command'> & Judgement, replayed: boolean): LedgerResult {
  return {
    commandId: decision.command.id,
    outcome: decision.outcome,
    refusal: decision.refusal,
    field: null,
    balances: [...decision.balances],
    amounts: { ...decision.amounts },
    replayed,
  };
}

export function conflictResult(commandId: string, field: string): LedgerResult {
  return { commandId, outcome: 'conflict', refusal: null, field, balances: [], amounts: {}, replayed: false };
}

/** The answer while the ledger has not been told of the provider; nothing is remembered under the id. */
export function unknownProviderResult(commandId: string): LedgerResult {
  return { ...invalidCommandResult(commandId, 'provider'), refusal: 'unknown_provider' };
}

/** The answer to a message that names a command id but is no command; nothing is remembered under the id. */
export function invalidCommandResult(commandId: string, field: string | null): LedgerResult {
  const refusal = 'invalid_command';
  return { commandId, outcome: 'refused', refusal, field, balances: [], amounts: {}, replayed: false };
}
