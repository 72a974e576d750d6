import type { Benchmark, BenchOptions } from '../benchmark.ts';
import { type Subject, answersHold, costsOf, figuresOf, machineNotes, measureInTurns } from '../compare.ts';
import { startEnvironment, type Environment } from '../environment/environment.ts';
import { createMerchants, fundMerchants, type Merchant, type Mode } from '../environment/merchants.ts';
import type { Pace } from '../load/load.ts';
import { allPaid, baselineHolds, payoutsHold, creationStep, fundsCents } from './payouts-hold.ts';

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
    const { hot, many, count } = await fundedMerchants(environment, 'test', options);
    const closed = (durationMs: number): Pace => ({ kind: 'closed', connections: options.connections, durationMs });
    const onHot = await measureInTurns(
      'hot',
      pair(environment, { what: 'one hot account', merchants: [hot], mode: 'test', pace: closed }),
      options,
    );
    const onMany = await measureInTurns(
      'many',
      pair(environment, { what: `${count} accounts`, merchants: many, mode: 'test', pace: closed }),
      options,
    );
    const steady = await measureInTurns(
      'steady',
      pair(environment, { what: `open loop ${steadyPerSecond}/s`, merchants: many, mode: 'test', pace: openLoop }),
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

/** Both ask the provider for each payment: the product after its answer, the baseline before it. */
export const livePayoutsBenchmark: Benchmark = {
  name: 'payouts-live',
  measures: 'live POST /v1/payouts against one process that debits the balance row and calls the same provider',
  run: async (options) => {
    await using environment = await startEnvironment(options);
    const { stack, baseline } = environment;
    const { hot, many, count } = await fundedMerchants(environment, 'live', options);
    const closed = (durationMs: number): Pace => ({ kind: 'closed', connections: options.connections, durationMs });
    const side = (what: string, merchants: readonly Merchant[]) =>
      pair(environment, { what: `${what}, live`, merchants, mode: 'live', pace: closed });
    const onHot = await measureInTurns('hot', side('one hot account', [hot]), options);
    const onMany = await measureInTurns('many', side(`${count} accounts`, many), options);
    const measurements = [...onHot, ...onMany];
    const figures = [onHot, onMany].flatMap(figuresOf);
    const [, hotProduct, , manyProduct] = figures;
    const answeredBy = ([, product]: typeof onHot): number => product?.answered ?? 0;
    await allPaid(stack, [hot, ...many]);
    return {
      figures,
      costs: costsOf(measurements),
      gates: [
        {
          what: 'one hot account over the row lock, live',
          value: hotProduct?.ratio ?? Number.NaN,
          unit: '×',
          atLeast: 2.5,
        },
        {
          what: `${count} accounts over the row lock, live`,
          value: manyProduct?.ratio ?? Number.NaN,
          unit: '×',
          atLeast: 0.8,
        },
      ],
      invariants: [
        ...answersHold(measurements),
        ...(await payoutsHold(stack, 'hot account', [hot], answeredBy(onHot))),
        ...(await payoutsHold(stack, `${count} accounts`, many, answeredBy(onMany))),
        await baselineHolds(
          baseline,
          measurements.filter((_, index) => index % 2 === 0),
        ),
      ],
      notes: machineNotes(measurements),
    };
  },
};

async function fundedMerchants({ stack, baseline }: Environment, mode: Mode, { quick, progress }: BenchOptions) {
  const count = quick ? manyAccountsQuick : manyAccounts;
  progress(`creating ${count + 1} accounts with a balance …`);
  const merchants = await createMerchants(stack, count + 1, mode);
  const [hot, ...many] = merchants;
  if (!hot) throw new Error('the merchants were not created');
  await fundMerchants(stack, merchants, fundsCents, mode);
  await baseline.fund(
    merchants.map(({ accountId }) => accountId),
    fundsCents,
    mode,
  );
  return { hot, many, count };
}

const openLoop = (durationMs: number): Pace => ({
  ...{ kind: 'open', connections: connectionsSteady, ratePerSecond: steadyPerSecond, durationMs },
});

interface Pair {
  readonly what: string;
  readonly merchants: readonly Merchant[];
  readonly mode: Mode;
  readonly pace: (durationMs: number) => Pace;
}

/** The baseline and the product, with the same accounts. */
function pair({ baseline, stack, load }: Environment, { what, merchants, mode, pace }: Pair): Subject[] {
  const bareCallers = merchants.map(({ accountId }) => baseline.callerOf(accountId, mode));
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
