import { depositResourceSchema } from '@gateway/public-api';
import type { Benchmark, BenchOptions } from '../benchmark.ts';
import {
  type Measurement,
  answersHold,
  closedLoop,
  costsOf,
  figuresOf,
  machineNotes,
  measureInTurns,
} from '../compare.ts';
import { startEnvironment, type Environment } from '../environment/environment.ts';
import { createMerchants, type Merchant, type Mode, readList } from '../environment/merchants.ts';
import type { Invariant, Report } from '../report/report.ts';
import { creationStep, measureFullFlow } from './full-flow.ts';

const accountOfBaseline = 'acc_deposits';

/** Creation against one process that inserts the same row; then a charge's whole way to the merchant's webhook. */
export const depositsBenchmark: Benchmark = {
  name: 'deposits',
  measures: 'POST /v1/deposits against one process inserting the same row; the flow from charge to delivered webhook',
  run: async (options) => {
    await using environment = await startEnvironment(options);
    const [creating, flowing] = await createMerchants(environment.stack, 2);
    if (!creating || !flowing) throw new Error('the merchants were not created');
    const creation = await measureCreation(environment, { merchant: creating, mode: 'test', atLeast: 1 }, options);
    const flow = await measureFullFlow(environment, flowing, options);
    return {
      figures: [...creation.figures, ...flow.figures],
      costs: creation.costs ?? [],
      gates: [...creation.gates, ...flow.gates],
      invariants: [...creation.invariants, ...flow.invariants],
      notes: [...creation.notes, ...flow.notes],
    };
  },
};

/** Creation with the provider's charge in it, which both ask the simulator for over HTTP. */
export const liveDepositsBenchmark: Benchmark = {
  name: 'deposits-live',
  measures: 'live POST /v1/deposits against one process that calls the same provider and inserts the same row',
  run: async (options) => {
    await using environment = await startEnvironment(options);
    const [merchant] = await createMerchants(environment.stack, 1, 'live');
    if (!merchant) throw new Error('the merchant was not created');
    return await measureCreation(environment, { merchant, mode: 'live', atLeast: 0.8 }, options);
  },
};

interface Creation {
  readonly merchant: Merchant;
  readonly mode: Mode;
  /** The gate: the product's rate over the baseline's. */
  readonly atLeast: number;
}

async function measureCreation(
  environment: Environment,
  { merchant, mode, atLeast }: Creation,
  options: BenchOptions,
): Promise<Report> {
  const { baseline, stack } = environment;
  const each = { step: creationStep, connections: options.connections };
  const bare = { ...each, origin: baseline.origin, caller: baseline.callerOf(accountOfBaseline, mode) };
  const called = mode === 'live' ? ', live' : '';
  const product = { ...each, origin: stack.baseUrl, caller: merchant.headers };
  const measurements = await measureInTurns(
    'deposit',
    [
      closedLoop(environment, `insert the row${called}`, bare),
      { ...closedLoop(environment, `POST /v1/deposits${called}`, product), against: 0 },
    ],
    options,
  );
  const figures = figuresOf(measurements);
  const ratio = figures[1]?.ratio ?? Number.NaN;
  return {
    figures,
    costs: costsOf(measurements),
    gates: [{ what: `POST /v1/deposits over inserting the row${called}`, value: ratio, unit: '×', atLeast }],
    invariants: [...answersHold(measurements), ...(await recordsHold(environment, merchant, measurements))],
    notes: machineNotes(measurements),
  };
}

/** As many records as creations answered, each external_id once. */
async function recordsHold(
  { stack, baseline }: Environment,
  merchant: Merchant,
  measurements: Measurement[],
): Promise<Invariant[]> {
  const [bare, product] = measurements;
  const rows = await baseline.query<{ count: number }>('select count(*)::integer as count from deposit');
  const externalIds = new Set<string>();
  let records = 0;
  for await (const deposit of readList(stack, merchant, '/v1/deposits', depositResourceSchema)) {
    externalIds.add(deposit.external_id);
    records += 1;
  }
  const inserted = rows[0]?.count ?? 0;
  const answered = product?.answered ?? 0;
  return [
    {
      what: 'baseline: one row per answer',
      holds: inserted === bare?.answered,
      found: `${inserted} rows for ${bare?.answered ?? 0} answers`,
    },
    {
      what: 'POST /v1/deposits: one deposit per answer, each external_id once',
      holds: records === answered && externalIds.size === answered,
      found: `${records} deposits, ${externalIds.size} external ids for ${answered} answers`,
    },
  ];
}
