import type { PaymentProvider } from '@gateway/providers';
import type { Dependencies } from '#src/dependencies.ts';

type Work<Args extends unknown[], Result> = (...args: Args) => Promise<Result>;

/** The service in a process that ends before or after any access to the database, the provider or the ledger. */
class MortalProcess {
  readonly dependencies: Dependencies;
  #stepsLeft: number;

  constructor(immortal: Dependencies, stepsUntilEnd: number) {
    this.#stepsLeft = stepsUntilEnd;
    const chargeRoutes = {
      test: immortal.chargeRoutes.test.map((route) => ({ ...route, provider: this.#mortal(route.provider) })),
      live: [],
    };
    this.dependencies = {
      ...immortal,
      chargeRoutes,
      database: this.#stepping(immortal.database, ['query', 'transaction']),
      deposits: this.#stepping(immortal.deposits, ['insert', 'open', 'reassign', 'abandon']),
      payments: this.#stepping(immortal.payments, ['receive', 'credit', 'refuse']),
      askLedger: this.#step(immortal.askLedger),
      askHolding: this.#step(immortal.askHolding),
    };
  }

  get ended(): boolean {
    return this.#stepsLeft < 0;
  }

  #mortal(provider: PaymentProvider): PaymentProvider {
    const { createCharge, getCharge } = provider;
    return { ...provider, createCharge: this.#step(createCharge), getCharge: this.#step(getCharge) };
  }

  #stepping<T extends object>(owner: T, names: readonly (keyof T)[]): T {
    return new Proxy(owner, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        const bound = member.bind(target) as Work<unknown[], unknown>;
        return names.includes(name as keyof T) ? this.#step(bound) : bound;
      },
    });
  }

  #step<Args extends unknown[], Result>(work: Work<Args, Result>): Work<Args, Result> {
    return async (...args) => {
      this.#pass();
      const result = await work(...args);
      this.#pass();
      return result;
    };
  }

  #pass(): void {
    if (--this.#stepsLeft < 0) throw new Error('the process ends here');
  }
}

/** Begins anew and lets the process end one step later each time, until it gets through. Answers how many steps it took. */
export async function atEveryStep<Subject>(
  immortal: Dependencies,
  course: {
    readonly prepare: () => Promise<Subject>;
    readonly act: (dependencies: Dependencies, subject: Subject) => Promise<unknown>;
    readonly expectWell: (subject: Subject) => Promise<void>;
  },
): Promise<number> {
  for (let steps = 0; ; steps += 1) {
    const subject = await course.prepare();
    const process = new MortalProcess(immortal, steps);
    await course.act(process.dependencies, subject).catch((error: unknown) => {
      if (!process.ended) throw error;
    });
    await course.expectWell(subject);
    if (!process.ended) return steps;
  }
}
