import { depositResourceSchema } from '@gateway/public-api';
import type { Benchmark, BenchOptions } from '../benchmark.ts';
import { answersHold, costsOf, figuresOf, machineNotes, measureInTurns, type Measurement } from '../compare.ts';
import { startEnvironment, type Environment } from '../environment/environment.ts';
import { createMerchants, fundMerchants, readList, type Merchant } from '../environment/merchants.ts';
import type { LoadStep, Pace } from '../load/load.ts';
import { untilQuiet } from '../machine/cpu.ts';
import type { Gate, Report } from '../report/report.ts';
import { reader } from './reader.ts';

const accountOfBaseline = 'acc_reads';
const fundsCents = 100_000_000;
const atLeast = 0.75;
const pageLimit = 50;
const largePageLimit = 200;
const historyMs = 4_000;
const historyQuickMs = 1_000;

/** What merchants ask again and again, each beside a route that answers the rows of one SELECT. */
export const readsBenchmark: Benchmark = {
  name: 'reads',
  measures: 'a deposit, a page of deposits, the balance and a page of the statement, each against a bare SELECT route',
  run: async (options) => {
    await using environment = await startEnvironment(options);
    const [merchant] = await createMerchants(environment.stack, 1);
    if (!merchant) throw new Error('no merchant was created');
    await fundMerchants(environment.stack, [merchant], fundsCents);
    await environment.baseline.fund([accountOfBaseline], fundsCents);
    options.progress('making deposits and payouts to read …');
    await makeHistory(environment, merchant, options);
    return await measure(environment, merchant, options);
  },
};

const historySteps: readonly LoadStep[] = [
  {
    method: 'POST',
    path: '/v1/deposits',
    body: '{"amount_cents":1000,"external_id":"{n}","payer":{"name":"Maria da Silva","document":"52998224725"}}',
    expect: 201,
  },
  {
    method: 'POST',
    path: '/v1/payouts',
    body: '{"amount_cents":100,"external_id":"{n}","pix_key":"maria@example.com","pix_key_type":"email","recipient":{"name":"Maria da Silva","document":"52998224725"}}',
    expect: 201,
  },
];

/** So that a deposit of the baseline is as wide as one of the product, and its answer as long. */
const sameRows = [
  `alter table deposit add column asked bigint, add column received bigint not null default 0, add column clabe text,
     add column beneficiary text, add column qr_url text, add column return_url text, add column description text`,
  `update deposit set
     redirect_url = 'http://127.0.0.1:20102/pay/' || id || '/test.' || account_id || '.1795548423.' || repeat('k', 43),
     qr_url = 'http://127.0.0.1:20102/v1/deposits/' || id || '/qr.svg?token=test.' || account_id || '.1795548423.'
       || repeat('k', 43),
     emv = '00020101021226800014br.gov.bcb.pix2558pix.sandbox.invalid/qr/v2/' || md5(id)
       || '52040000530398654041990.005802BR5919TEST MODE NAO PAGAR6007SANDBOX62070503***63045D3D'`,
  'vacuum full deposit',
];

/** Both get what they are asked about through their own interface, so that each keeps it as it always does. */
async function makeHistory({ load, stack, baseline }: Environment, { headers }: Merchant, { quick }: BenchOptions) {
  const pace: Pace = { kind: 'closed', connections: 16, durationMs: quick ? historyQuickMs : historyMs };
  const sides = [
    { origin: stack.baseUrl, caller: headers },
    { origin: baseline.origin, caller: baseline.callerOf(accountOfBaseline) },
  ];
  for (const [side, { origin, caller }] of sides.entries()) {
    for (const [index, step] of historySteps.entries()) {
      await load.run({ name: `history-${side}-${index}`, origin, steps: [step], callers: [caller], pace });
    }
  }
  for (const statement of sameRows) await baseline.query(statement);
  // While a young table has no statistics, the planner takes an index that finds every row of the account.
  await baseline.query('analyze');
  await untilQuiet();
}

interface Read {
  readonly what: string;
  readonly path: string;
  /** Where the bare route's record is another one. */
  readonly barePath?: string;
}

async function measure(environment: Environment, merchant: Merchant, options: BenchOptions): Promise<Report> {
  const { baseline, stack } = environment;
  const { connections } = options;
  const deposit = await newestDeposit(environment, merchant);
  const [bare] = await baseline.query<{ id: string }>('select id from deposit order by id desc limit 1');
  const reads: readonly Read[] = [
    { what: 'a deposit', path: `/v1/deposits/${deposit}`, barePath: `/v1/deposits/${bare?.id ?? ''}` },
    { what: `a page of ${pageLimit} deposits`, path: `/v1/deposits?limit=${pageLimit}` },
    { what: 'the balance', path: '/v1/balance' },
    { what: `a page of ${pageLimit} entries`, path: `/v1/transactions?limit=${pageLimit}` },
    { what: `a page of ${largePageLimit} deposits`, path: `/v1/deposits?limit=${largePageLimit}` },
  ];
  const measurements: Measurement[][] = [];
  for (const { what, path, barePath = path } of reads) {
    const caller = baseline.callerOf(accountOfBaseline);
    const bareSide = { origin: baseline.origin, path: barePath, caller, connections };
    const product = { origin: stack.baseUrl, path, caller: merchant.headers, connections };
    const subjects = [
      reader(environment, `bare SELECT, ${what}`, bareSide),
      { ...reader(environment, `GET ${what}`, product), against: 0 },
    ];
    measurements.push(await measureInTurns(`read-${measurements.length}`, subjects, options));
  }
  const gates = measurements.map((measurement, index): Gate => {
    const ratio = figuresOf(measurement)[1]?.ratio ?? Number.NaN;
    return { what: `${reads[index]?.what ?? ''} over the bare SELECT`, value: ratio, unit: '×', atLeast };
  });
  const all = measurements.flat();
  return {
    figures: measurements.flatMap(figuresOf),
    costs: costsOf(all),
    gates,
    invariants: answersHold(all),
    notes: machineNotes(all).slice(0, 1),
  };
}

async function newestDeposit({ stack }: Environment, merchant: Merchant): Promise<string> {
  for await (const { id } of readList(stack, merchant, '/v1/deposits', depositResourceSchema)) return id;
  throw new Error('no deposit was created');
}
