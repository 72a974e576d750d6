import type { Benchmark, BenchOptions } from '../benchmark.ts';
import { answersHold, costsOf, figuresOf, machineNotes, measureInTurns } from '../compare.ts';
import { startEnvironment, type Environment } from '../environment/environment.ts';
import { createMerchants, fundMerchants, readBalance, type Merchant } from '../environment/merchants.ts';
import type { Report } from '../report/report.ts';
import { reader } from './reader.ts';

const fundsCents = 1_000_000;
const accountOfBaseline = 'acc_edge';

/** Through gateway, bus and ledger, against one process that asks the database. */
export const edgeBenchmark: Benchmark = {
  name: 'edge',
  measures: 'authenticated GET /v1/balance against a bare route with one indexed SELECT; what authentication costs',
  run: async (options) => {
    await using environment = await startEnvironment(options);
    const [merchant] = await createMerchants(environment.stack, 1);
    if (!merchant) throw new Error('no merchant was created');
    await fundMerchants(environment.stack, [merchant], fundsCents);
    await environment.baseline.fund([accountOfBaseline], fundsCents);
    return await measure(environment, merchant, options);
  },
};

async function measure(environment: Environment, merchant: Merchant, options: BenchOptions): Promise<Report> {
  const { baseline, stack } = environment;
  const bare = baseline.callerOf(accountOfBaseline);
  const { connections } = options;
  const reading = await measureInTurns(
    'balance',
    [
      reader(environment, 'bare SELECT', { origin: baseline.origin, path: '/v1/balance', caller: bare, connections }),
      {
        ...reader(environment, 'GET /v1/balance', {
          ...{ origin: stack.baseUrl, path: '/v1/balance', caller: merchant.headers, connections },
        }),
        against: 0,
      },
    ],
    options,
  );
  // Neither asks anybody else: what is left between them is authentication, the rate limit and a small answer.
  const alone = { origin: stack.baseUrl, connections: 1 };
  const authenticating = await measureInTurns(
    'authentication',
    [
      // The product's own unknown routes are limited by address.
      reader(environment, 'unknown route of a bare server, 1 connection', {
        ...{ origin: baseline.origin, connections: 1, path: '/v1/no-such-route', caller: {}, expect: 404 },
      }),
      reader(environment, 'GET /v1/account, 1 connection', { ...alone, path: '/v1/account', caller: merchant.headers }),
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
