import { expect } from 'vitest';
import type { Account } from '@gateway/contracts/accounts';
import { approvePayout, cancelPayout, refusePayout } from '#src/decisions/decide-payout.ts';
import { resolvePayout } from '#src/decisions/resolve-payout.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutTable } from '#src/payout/payout-table.ts';
import { askOutcome } from '#src/provider-feed/ask-outcome.ts';
import { askReturns } from '#src/provider-feed/ask-returns.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { resumePayout } from '#src/steps/resume-payout.ts';
import { Rail, type Treatment } from './rail.ts';
import { request, resolutionOf, type Harness } from './harness.ts';

const funds = 100_000;
const dueMax = 100;
/** Of a payout of 50.00; it comes back in up to three parts. */
const partBack = 1_500;

/** What happens in the simulation of one account. */
export type Act =
  | 'create'
  | 'repeat'
  | 'sweep'
  | 'race'
  | 'day'
  | 'settle'
  | 'notify'
  | 'return'
  | 'approve'
  | 'refuse'
  | 'cancel'
  | 'resolve-failed';

/** One account, the service in processes that may end between any two steps, and two providers that pay for every call. */
export class Simulation {
  readonly #rails: readonly Rail[];
  readonly #harness: Harness;
  readonly #account: Account;
  readonly #mortal: StepsDependencies;
  readonly #immortal: StepsDependencies;
  #treatment: Treatment = 'pay';
  #stepsLeft = Infinity;
  #last: ReturnType<typeof request> | undefined;

  /** @param mayHaveForgotten as if the database had been restored after every call: the other provider is asked before each */
  constructor(harness: Harness, autoApprovePayouts: boolean, mayHaveForgotten = false) {
    this.#harness = harness;
    this.#account = harness.account(funds, { autoApprovePayouts });
    this.#rails = [0, 1].map(() => new Rail(harness.dependencies.now, () => this.#treatment));
    const routes = this.#rails.map((rail, index) => ({
      provider: { ...rail.provider, id: `provider-${index}` },
      currencies: ['BRL'] as const,
      callTimeoutMs: 1_000,
      neverArrived: { lookups: 2, afterMs: 60_000 },
    }));
    const rememberedSince = async () => new Date(mayHaveForgotten ? '2100-01-01T00:00:00Z' : 0);
    this.#immortal = { ...harness.dependencies, payoutRoutes: { test: routes, live: [] }, rememberedSince };
    this.#mortal = this.#mortalFrom(this.#immortal);
  }

  /** Every act may end in the middle of it: the caller gets no answer, and the rest is up to recovery. */
  async act(act: Act, treatment: Treatment, stepsUntilEnd = Infinity): Promise<{ readonly ended: boolean }> {
    this.#treatment = treatment;
    this.#stepsLeft = stepsUntilEnd;
    await this.#perform(act, this.#mortal).catch(() => undefined);
    const ended = this.#stepsLeft < 0;
    this.#stepsLeft = Infinity;
    return { ended };
  }

  /** Time passes, the rail settles and reports, and nothing ends any more, until nothing is left to be done. */
  async comeToRest(): Promise<void> {
    this.#treatment = 'pay';
    for (let round = 0; round < 12; round++) {
      await this.#sweep(this.#immortal);
      for (const { reference } of await this.#payouts()) this.#settle(reference);
      // Recovery does without notifications, which may never come.
      if (round > 6) await this.#notifyAll(this.#immortal);
    }
  }

  /** Debits − reversals = money that left + money in flight, and no reference was paid twice. */
  async expectToAddUp(): Promise<PayoutRow[]> {
    const payouts = await this.#payouts();
    const spent = payouts
      .filter(({ state }) => state !== 'FAILED' && state !== 'REJECTED')
      .reduce((sum, { amount, fee, returned }) => sum + amount + fee - returned, 0);
    expect(this.#harness.ledger.books.balanceOf(this.#account.id)).toBe(funds - spent);
    for (const { reference } of payouts) expect(this.#madeOf(reference)).toBeLessThanOrEqual(1);
    const left = payouts.filter(({ reference }) => this.#resultOf(reference) === 'paid');
    const paid = payouts.filter(({ state }) => state === 'PAID');
    expect(paid.map(({ id }) => id)).toEqual(left.map(({ id }) => id));
    for (const { reference, returned } of paid) expect(returned).toBe(this.#returnedOf(reference));
    return payouts;
  }

  async #perform(act: Act, dependencies: StepsDependencies): Promise<void> {
    const [first] = await this.#payouts();
    switch (act) {
      case 'create':
        this.#last = request(this.#account);
        await this.#harness.create(this.#last, dependencies, 1_000);
        return;
      case 'repeat':
        if (this.#last) await this.#harness.create(this.#last, dependencies, 400);
        return;
      case 'sweep':
        return await this.#sweep(dependencies);
      case 'race':
        return await this.#sweep(dependencies, 2);
      case 'day':
        return this.#harness.passSeconds(86_400);
      case 'notify':
        return await this.#notifyAll(dependencies);
      case 'settle':
        if (first) this.#settle(first.reference);
        return;
      case 'return':
        if (first) await this.#giveBack(dependencies, first);
        return;
      case 'approve':
      case 'refuse':
      case 'cancel':
      case 'resolve-failed':
        if (first) await this.#decide(act, dependencies, first);
    }
  }

  async #decide(
    act: 'approve' | 'refuse' | 'cancel' | 'resolve-failed',
    dependencies: StepsDependencies,
    { id, environment, accountId }: PayoutRow,
  ): Promise<void> {
    if (act === 'approve') await approvePayout(dependencies, { id, operator: 'ana' });
    if (act === 'refuse') await refusePayout(dependencies, { id, operator: 'ana' });
    if (act === 'cancel') await cancelPayout(dependencies, { environment, accountId, id });
    if (act !== 'resolve-failed') return;
    await resolvePayout(dependencies, resolutionOf(id, 'failed'));
  }

  async #giveBack(dependencies: StepsDependencies, payout: PayoutRow): Promise<void> {
    const { reference, amount } = payout;
    if (payout.state !== 'PAID' || this.#returnedOf(reference) + partBack > amount) return;
    this.#rails.find((rail) => rail.made.has(reference))?.giveBack(reference, partBack);
    // A notification is delivered until it is on record.
    const noted = await askReturns(this.#immortal, payout);
    if (noted) await resumePayout(dependencies, noted);
  }

  async #notifyAll(dependencies: StepsDependencies): Promise<void> {
    for (const payout of await this.#payouts()) {
      if (this.#resultOf(payout.reference)) await askOutcome(dependencies, payout, true);
    }
  }

  /** @param processes how many work on each payout at the same time, each with what it has read */
  async #sweep(dependencies: StepsDependencies, processes = 1): Promise<void> {
    this.#harness.passSeconds(400);
    const now = dependencies.now();
    const due = await dependencies.payouts.claimDue('test', now, new Date(now.getTime() + 5_000), dueMax);
    for (const payout of due) {
      const resumed = Array.from({ length: processes }, () => resumePayout(dependencies, payout));
      await Promise.allSettled(resumed);
    }
  }

  async #payouts(): Promise<PayoutRow[]> {
    const text = 'select id from payout where account_id = $1 order by id desc';
    const rows = await this.#harness.dependencies.database.query<{ id: string }>(text, [this.#account.id]);
    const found = await Promise.all(rows.map(({ id }) => this.#harness.dependencies.payouts.findById(id)));
    return found.filter((payout) => payout !== undefined);
  }

  #settle(reference: string): void {
    for (const rail of this.#rails) rail.settle(reference);
  }

  #madeOf(reference: string): number {
    return this.#rails.reduce((times, rail) => times + (rail.made.get(reference) ?? 0), 0);
  }

  #resultOf(reference: string): 'paid' | 'failed' | undefined {
    return this.#rails.map((rail) => rail.resultOf(reference)).find((result) => result !== undefined);
  }

  #returnedOf(reference: string): number {
    return this.#rails.reduce((sum, rail) => sum + rail.returnedOf(reference), 0);
  }

  #mortalFrom(dependencies: StepsDependencies): StepsDependencies {
    const step = <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) => {
      return async (...args: Args): Promise<Result> => {
        this.#step();
        const result = await work(...args);
        this.#step();
        return result;
      };
    };
    const routes = dependencies.payoutRoutes.test.map((route) => {
      const { createPayout, getPayout } = route.provider;
      return {
        ...route,
        provider: { ...route.provider, createPayout: step(createPayout), getPayout: step(getPayout) },
      };
    });
    const payouts = new Proxy<PayoutTable>(dependencies.payouts, {
      get: (table, name) => {
        const member: unknown = Reflect.get(table, name);
        return typeof member === 'function' ? step(member.bind(table) as () => Promise<unknown>) : member;
      },
    });
    const payoutRoutes = { test: routes, live: [] };
    return { ...dependencies, payouts, payoutRoutes, askLedger: step(dependencies.askLedger) };
  }

  #step(): void {
    if (--this.#stepsLeft < 0) throw new Error('the process ends here');
  }
}
