import type { Benchmark, BenchOptions } from '../benchmark.ts';
import { answersHold, costsOf, figuresOf, machineNotes, measureInTurns, type Measurement } from '../compare.ts';
import { startEnvironment, type Environment } from '../environment/environment.ts';
import { createMerchants, type Merchant } from '../environment/merchants.ts';
import type { Gate, Report } from '../report/report.ts';
import { grownLists, growList, type GrownList } from './grown-lists.ts';
import { reader } from './reader.ts';

const smallRows = 10_000;
const largeRows = 10_000_000;
const largeRowsQuick = 30_000;
const pageLimit = 200;
const p99MaxMs = 15;
/** A list is asked for by a page that shows it, one call after the other. */
const connections = 1;

/** A page of each list with each filter, beside few rows and beside many. */
export const listsGrowthBenchmark: Benchmark = {
  name: 'lists-growth',
  measures:
    'a page of 200 deposits, payouts and deliveries with each filter, of an account with 10,000,000 against one with 10,000',
  run: async (options) => {
    await using environment = await startEnvironment(options);
    const measured: Measured[] = [];
    for (const list of grownLists) measured.push(...(await measureList(environment, list, options)));
    return reportOf(measured);
  },
};

interface Measured {
  readonly what: string;
  readonly measurement: Measurement[];
}

async function measureList(environment: Environment, list: GrownList, options: BenchOptions): Promise<Measured[]> {
  const { stack } = environment;
  const rows = options.quick ? largeRowsQuick : largeRows;
  const [young, grown] = await createMerchants(stack, 2);
  if (!young || !grown) throw new Error('the merchants were not created');
  options.progress(`writing ${rows.toLocaleString('en')} ${list.what} …`);
  const pathYoung = await growList(stack, young, list, smallRows);
  const pathGrown = await growList(stack, grown, list, rows);
  const measured: Measured[] = [];
  for (const [filter, query] of list.filters) {
    const page = (path: string, { headers }: Merchant) => {
      return { origin: stack.baseUrl, path: `${path}?limit=${pageLimit}${query}`, caller: headers, connections };
    };
    const what = `${list.what} with ${filter}`;
    const subjects = [
      reader(environment, `${what}, of ${smallRows.toLocaleString('en')}`, page(pathYoung, young)),
      { ...reader(environment, `${what}, of ${rows.toLocaleString('en')}`, page(pathGrown, grown)), against: 0 },
    ];
    const name = `${list.what}-${measured.length}`;
    measured.push({ what, measurement: await measureInTurns(name, subjects, options) });
  }
  return measured;
}

function reportOf(measured: readonly Measured[]): Report {
  const gates = measured.map(({ what, measurement }): Gate => {
    const p99Ms = figuresOf(measurement)[1]?.p99Ms ?? Number.NaN;
    return { what: `a page of ${pageLimit} ${what}, p99`, value: p99Ms, unit: 'ms', atMost: p99MaxMs };
  });
  const all = measured.flatMap(({ measurement }) => measurement);
  return {
    figures: measured.flatMap(({ measurement }) => figuresOf(measurement)),
    costs: costsOf(all),
    gates,
    invariants: answersHold(all),
    notes: machineNotes(all).slice(0, 1),
  };
}
