import type { Balance, LedgerCommand, LedgerRefusal } from '@gateway/contracts/ledger';
import type { Currency } from '@gateway/money';
import { captureShortfalls } from '#src/decision/capture-shortfalls.ts';
import type { CommandOutcome, NumberedEntry } from '#src/decision/decision.ts';
import { Overlay } from '#src/state/overlay.ts';
import type { Posting } from '#src/posting/posting.ts';
import type { Reference, ShortReference } from '#src/posting/reference.ts';
import { evaluate } from '#src/posting/rules/rules.ts';
import { isRefusal } from '#src/posting/rule.ts';

/** The time and the ids of a decision, passed in: with the same ones, a command on a state is decided the same. */
export interface DecisionContext {
  readonly atMs: number;
  readonly newEntryId: (atMs: number) => string;
}

/** Decides one command and writes its effect into the overlay. A refusal leaves the overlay unchanged. */
export function applyCommand(overlay: Overlay, command: LedgerCommand, context: DecisionContext): CommandOutcome {
  const result = evaluate(command, overlay, context.atMs);
  if (isRefusal(result)) return refused(overlay, command, result.refusal);

  const scratch = new Overlay(overlay);
  const effect = new Effect(scratch, command, context);
  effect.post(result.postings, result.references);
  const refusal = effect.refusal();
  if (refusal !== null) return refused(overlay, command, refusal);
  const alsoChanged: ShortReference[] = [...(result.alsoChanged ?? [])];
  for (const currency of effect.creditedCurrencies()) {
    const owner = { accountId: command.accountId, currency };
    const capture = captureShortfalls(scratch, owner);
    effect.post(capture.postings, capture.references);
    alsoChanged.push(...capture.references);
  }

  assertBalanced(command, effect.postings);
  scratch.commitTo(overlay);
  return {
    outcome: 'applied',
    refusal: null,
    balances: [...scratch.merchants.values()].map(toBalance),
    amounts: result.amounts ?? {},
    postings: effect.postings,
    entries: effect.entries,
    alsoChanged,
  };
}

function refused(overlay: Overlay, command: LedgerCommand, refusal: LedgerRefusal): CommandOutcome {
  const balance = toBalance(overlay.merchant(command.accountId, command.currency));
  return {
    outcome: 'refused',
    refusal,
    balances: [balance],
    amounts: {},
    postings: [],
    entries: [],
    alsoChanged: [],
  };
}

/** The postings of one command and their effect on the balances of a scratch overlay. */
class Effect {
  readonly postings: Posting[] = [];
  readonly entries: NumberedEntry[] = [];
  readonly #scratch: Overlay;
  readonly #command: LedgerCommand;
  readonly #context: DecisionContext;

  constructor(scratch: Overlay, command: LedgerCommand, context: DecisionContext) {
    this.#scratch = scratch;
    this.#command = command;
    this.#context = context;
  }

  post(postings: readonly Posting[], references: readonly Reference[]): void {
    for (const posting of postings) {
      if (posting.amount === 0) continue;
      this.postings.push(posting);
      if (posting.bucket === 'system') this.#postSystem(posting);
      else this.#postMerchant(posting);
    }
    for (const reference of references) this.#scratch.setReference(reference);
  }

  /** The invariants that no command may break, in a fixed order. */
  refusal(): LedgerRefusal | null {
    const { merchants, systems } = this.#scratch;
    for (const { available, pending, blocked } of merchants.values()) {
      if (available < 0 || pending < 0 || blocked < 0) return 'insufficient_funds';
    }
    // None of the three is negative, so each is safe where their total is.
    for (const { available, pending, blocked } of merchants.values()) {
      if (!Number.isSafeInteger(available + pending + blocked)) return 'balance_overflow';
    }
    for (const { amount } of systems.values()) if (!Number.isSafeInteger(amount)) return 'balance_overflow';
    return null;
  }

  creditedCurrencies(): Set<Currency> {
    const credited = new Set<Currency>();
    for (const { bucket, amount, currency } of this.postings) {
      if (bucket === 'available' && amount > 0) credited.add(currency);
    }
    return credited;
  }

  #postSystem(posting: Extract<Posting, { bucket: 'system' }>): void {
    const before = this.#scratch.system(posting.account, posting.currency);
    this.#scratch.setSystem({ ...before, amount: before.amount + posting.amount });
  }

  #postMerchant(posting: Exclude<Posting, { bucket: 'system' }>): void {
    const { accountId, currency, bucket, amount } = posting;
    const before = this.#scratch.merchant(accountId, currency);
    const after = { ...before, [bucket]: before[bucket] + amount };
    if (posting.bucket !== 'available') return this.#scratch.setMerchant(after);
    const number = before.entries + 1;
    this.#scratch.setMerchant({ ...after, entries: number });
    this.entries.push({
      ...posting.entry,
      id: this.#context.newEntryId(this.#context.atMs),
      environment: this.#command.environment,
      accountId,
      currency,
      amount,
      balanceAfter: after.available,
      createdAt: Math.floor(this.#context.atMs / 1000),
      number,
    });
  }
}

/** A rule whose postings do not sum to zero is a bug: the writer stops instead of booking it. */
function assertBalanced(command: LedgerCommand, postings: readonly Posting[]): void {
  const sums = new Map<string, number>();
  for (const { currency, amount } of postings) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  for (const [currency, sum] of sums) {
    if (sum !== 0) throw new Error(`${command.kind} ${command.id} is out of balance by ${sum} ${currency}`);
  }
}

function toBalance({ currency, available, pending, blocked }: Balance): Balance {
  return { currency, available, pending, blocked };
}
