import type { Benchmark } from '../benchmark.ts';
import { type Subject, answersHold, costsOf, figuresOf, machineNotes, measureInTurns } from '../compare.ts';
import { startEnvironment, type Environment } from '../environment/environment.ts';
import { createMerchants, fundMerchants, type Merchant } from '../environment/merchants.ts';
import type { Pace } from '../load/load.ts';
import { baselineHolds, payoutsHold, creationStep, fundsCents } from './payouts-hold.ts';

const steadyPerSecond = 200;
const connectionsSteady = 64;
const manyAccounts = 1_000;
const manyAccountsQuick = 50;

/** One hot account, many accounts, and the time it takes at a steady rate. */
export const payoutsBenchmark: Benchmark = {
  name: 'payouts',
  measures: 'POST /v1/payouts against one process that locks and debits the balance row',
  run: async (options) => {
    await using environment = await startEnvironment(options);
    const count = options.quick ? manyAccountsQuick : manyAccounts;
    options.progress(`creating ${count + 1} accounts with a balance …`);
    const [hot, ...many] = await createMerchants(environment.stack, count + 1);
    if (!hot) throw new Error('the merchants were not created');
    await fundMerchants(environment.stack, [hot, ...many], fundsCents);
    await environment.baseline.fund(
      [hot, ...many].map(({ accountId }) => accountId),
      fundsCents,
    );
    const closed = (durationMs: number): Pace => ({ kind: 'closed', connections: options.connections, durationMs });
    const onHot = await measureInTurns('hot', pair(environment, 'one hot account', [hot], closed), options);
    const onMany = await measureInTurns('many', pair(environment, `${count} accounts`, many, closed), options);
    const steady = await measureInTurns(
      'steady',
      pair(environment, `open loop ${steadyPerSecond}/s`, many, openLoop),
      options,
    );
    const measurements = [...onHot, ...onMany, ...steady];
    const figures = [onHot, onMany, steady].flatMap(figuresOf);
    const [, hotProduct, , manyProduct, , steadyProduct] = figures;
    const productAnswers = (some: typeof onHot): number => some[1]?.answered ?? 0;
    const manyAnswers = productAnswers(onMany) + productAnswers(steady);
    return {
      figures,
      costs: [onHot, onMany].flatMap(costsOf),
      gates: [
        { what: 'one hot account over the row lock', value: hotProduct?.ratio ?? Number.NaN, unit: '×', atLeast: 3 },
        { what: `${count} accounts over the row lock`, value: manyProduct?.ratio ?? Number.NaN, unit: '×', atLeast: 1 },
        { what: `p99 at ${steadyPerSecond}/s`, value: steadyProduct?.p99Ms ?? Number.NaN, unit: 'ms', atMost: 50 },
      ],
      invariants: [
        ...answersHold(measurements),
        ...(await payoutsHold(environment.stack, 'hot account', [hot], productAnswers(onHot))),
        ...(await payoutsHold(environment.stack, `${count} accounts`, many, manyAnswers)),
        await baselineHolds(
          environment.baseline,
          measurements.filter((_, index) => index % 2 === 0),
        ),
      ],
      notes: machineNotes([...onHot, ...onMany]),
    };
  },
};

const openLoop = (durationMs: number): Pace => ({
  ...{ kind: 'open', connections: connectionsSteady, ratePerSecond: steadyPerSecond, durationMs },
});

/** The baseline and the product, with the same accounts. */
function pair(
  environment: Environment,
  what: string,
  merchants: readonly Merchant[],
  pace: (durationMs: number) => Pace,
): Subject[] {
  const { baseline, stack, load } = environment;
  const bareCallers = merchants.map(({ accountId }) => baseline.callerOf(accountId));
  const callers = merchants.map(({ headers }) => headers);
  const steps = [creationStep];
  return [
    {
      what: `row lock, ${what}`,
      load: (name, durationMs) =>
        load.run({ name, origin: baseline.origin, steps, callers: bareCallers, pace: pace(durationMs) }),
    },
    {
      what: `POST /v1/payouts, ${what}`,
      against: 0,
      load: (name, durationMs) => load.run({ name, origin: stack.baseUrl, steps, callers, pace: pace(durationMs) }),
    },
  ];
}
