import type { Balance, Currency, LedgerCommand, LedgerRefusal } from '@gateway/contracts';
import { captureShortfalls } from '#src/posting/capture-shortfalls.ts';
import type { Judgement, NumberedEntry } from '#src/posting/decision.ts';
import { Draft } from '#src/posting/draft.ts';
import type { Posting } from '#src/posting/posting.ts';
import type { Reference, ShortReference } from '#src/posting/reference.ts';
import { judge } from '#src/posting/rules/rules.ts';
import { isRefusal } from '#src/posting/verdict.ts';

/** Time and ids, passed in: the same command on the same state with the same moment is the same decision. */
export interface Moment {
  readonly atMs: number;
  readonly newEntryId: (atMs: number) => string;
}

/** Decides one command and lays its effect over the draft. A refusal leaves the draft as it was. */
export function applyCommand(draft: Draft, command: LedgerCommand, moment: Moment): Judgement {
  const verdict = judge(command, draft, moment.atMs);
  if (isRefusal(verdict)) return refused(draft, command, verdict.refusal);

  const trial = new Draft(draft);
  const effect = new Effect(trial, command, moment);
  effect.post(verdict.postings, verdict.references);
  const refusal = effect.refusal();
  if (refusal !== null) return refused(draft, command, refusal);
  const changedBeside: ShortReference[] = [...(verdict.changedBeside ?? [])];
  for (const currency of effect.creditedCurrencies()) {
    const owner = { accountId: command.accountId, currency };
    const capture = captureShortfalls(trial, owner);
    effect.post(capture.postings, capture.references);
    changedBeside.push(...capture.references);
  }

  assertBalanced(command, effect.postings);
  trial.mergeInto(draft);
  return {
    outcome: 'applied',
    refusal: null,
    balances: [...trial.merchants.values()].map(toBalance),
    amounts: verdict.amounts ?? {},
    postings: effect.postings,
    entries: effect.entries,
    changedBeside,
  };
}

function refused(draft: Draft, command: LedgerCommand, refusal: LedgerRefusal): Judgement {
  const balance = toBalance(draft.merchant(command.accountId, command.currency));
  return {
    outcome: 'refused',
    refusal,
    balances: [balance],
    amounts: {},
    postings: [],
    entries: [],
    changedBeside: [],
  };
}

/** The postings of one command as they change the balances of a trial. */
class Effect {
  readonly postings: Posting[] = [];
  readonly entries: NumberedEntry[] = [];
  readonly #trial: Draft;
  readonly #command: LedgerCommand;
  readonly #moment: Moment;

  constructor(trial: Draft, command: LedgerCommand, moment: Moment) {
    this.#trial = trial;
    this.#command = command;
    this.#moment = moment;
  }

  post(postings: readonly Posting[], references: readonly Reference[]): void {
    for (const posting of postings) {
      if (posting.amount === 0) continue;
      this.postings.push(posting);
      if (posting.bucket === 'system') this.#postSystem(posting);
      else this.#postMerchant(posting);
    }
    for (const reference of references) this.#trial.setReference(reference);
  }

  /** The rules no command may break, in their fixed order. */
  refusal(): LedgerRefusal | null {
    const merchants = [...this.#trial.merchants.values()];
    const amounts = merchants.flatMap((balance) => [balance.available, balance.pending, balance.blocked]);
    if (amounts.some((amount) => amount < 0)) return 'insufficient_funds';
    for (const balance of this.#trial.systems.values()) amounts.push(balance.amount);
    for (const balance of merchants) amounts.push(balance.available + balance.pending + balance.blocked);
    if (amounts.some((amount) => !Number.isSafeInteger(amount))) return 'balance_overflow';
    return null;
  }

  creditedCurrencies(): Set<Currency> {
    const credited = this.postings.filter((posting) => posting.bucket === 'available' && posting.amount > 0);
    return new Set(credited.map((posting) => posting.currency));
  }

  #postSystem(posting: Extract<Posting, { bucket: 'system' }>): void {
    const before = this.#trial.system(posting.account, posting.currency);
    this.#trial.setSystem({ ...before, amount: before.amount + posting.amount });
  }

  #postMerchant(posting: Exclude<Posting, { bucket: 'system' }>): void {
    const { accountId, currency, bucket, amount } = posting;
    const before = this.#trial.merchant(accountId, currency);
    const after = { ...before, [bucket]: before[bucket] + amount };
    if (posting.bucket !== 'available') return this.#trial.setMerchant(after);
    const number = before.entries + 1;
    this.#trial.setMerchant({ ...after, entries: number });
    this.entries.push({
      ...posting.entry,
      id: this.#moment.newEntryId(this.#moment.atMs),
      environment: this.#command.environment,
      accountId,
      currency,
      amount,
      balanceAfter: after.available,
      createdAt: Math.floor(this.#moment.atMs / 1000),
      number,
    });
  }
}

/** A rule whose postings do not cancel out is a bug: better no ledger than a wrong one. */
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
