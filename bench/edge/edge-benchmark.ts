import type { Benchmark, BenchOptions } from '../benchmark.ts';
import type { Pace } from '../load/load-job.ts';
import { answersHold, costsOf, figuresOf, machineNotes } from '../rounds/summarise.ts';
import { takeTurns } from '../rounds/take-turns.ts';
import type { Contender } from '../rounds/contender.ts';
import type { Report } from '../report/report.ts';
import { createMerchants, fundMerchants, readBalance, type Merchant } from '../stage/merchants.ts';
import { startStage, type Stage } from '../stage/start-stage.ts';

const fundsCents = 1_000_000;
const accountOfBaseline = 'acc_edge';

/** Through gateway, bus and ledger, against one process that asks the database. */
export const edgeBenchmark: Benchmark = {
  name: 'edge',
  measures: 'authenticated GET /v1/balance against a bare route with one indexed SELECT; what authentication costs',
  run: async (options) => {
    await using stage = await startStage(options);
    const [merchant] = await createMerchants(stage.stack, 1);
    if (!merchant) throw new Error('no merchant was created');
    await fundMerchants(stage.stack, [merchant], fundsCents);
    await stage.baseline.fund([accountOfBaseline], fundsCents);
    return await measure(stage, merchant, options);
  },
};

async function measure(stage: Stage, merchant: Merchant, options: BenchOptions): Promise<Report> {
  const { baseline, stack } = stage;
  const bare = baseline.callerOf(accountOfBaseline);
  const { connections } = options;
  const reading = await takeTurns(
    'balance',
    [
      reader(stage, 'bare SELECT', { origin: baseline.origin, path: '/v1/balance', caller: bare, connections }),
      {
        ...reader(stage, 'GET /v1/balance', {
          ...{ origin: stack.baseUrl, path: '/v1/balance', caller: merchant.headers, connections },
        }),
        against: 0,
      },
    ],
    options,
  );
  // Neither asks anybody else: what is left between them is authentication, the rate limit and a small answer.
  const alone = { origin: stack.baseUrl, connections: 1 };
  const authenticating = await takeTurns(
    'authentication',
    [
      // The product's own unknown routes are limited by address.
      reader(stage, 'unknown route of a bare server, 1 connection', {
        ...{ origin: baseline.origin, connections: 1, path: '/v1/no-such-route', caller: {}, expect: 404 },
      }),
      reader(stage, 'GET /v1/account, 1 connection', { ...alone, path: '/v1/account', caller: merchant.headers }),
    ],
    options,
  );
  const figures = [...figuresOf(reading), ...figuresOf(authenticating)];
  const [, balance, unknownRoute, account] = figures;
  const { brl } = await readBalance(stack, merchant);
  return {
    figures,
    costs: costsOf(reading),
    gates: [
      { what: 'GET /v1/balance over the bare SELECT', value: balance?.ratio ?? Number.NaN, unit: '×', atLeast: 0.5 },
      {
        ...{ what: 'authentication, p50', value: (account?.p50Ms ?? Number.NaN) - (unknownRoute?.p50Ms ?? Number.NaN) },
        ...{ unit: 'ms', atMost: 0.2 },
      },
    ],
    invariants: [
      ...answersHold([...reading, ...authenticating]),
      {
        what: 'reading changed nothing',
        holds: brl.available_cents === fundsCents,
        found: `${brl.available_cents} cents`,
      },
    ],
    notes: machineNotes(reading),
  };
}

interface Reading {
  readonly origin: string;
  readonly path: string;
  readonly caller: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly expect?: number;
}

function reader(
  { load }: Stage,
  what: string,
  { origin, path, caller, connections, expect = 200 }: Reading,
): Contender {
  return {
    what,
    load: (name, durationMs) => {
      const pace: Pace = { kind: 'closed', connections, durationMs };
      return load.run({ name, origin, steps: [{ method: 'GET', path, expect }], callers: [caller], pace });
    },
  };
}
