import type { Benchmark, BenchOptions } from '../benchmark.ts';
import { growList, grownLists } from '../edge/grown-lists.ts';
import { startEnvironment, type Environment } from '../environment/environment.ts';
import { createMerchants, type Merchant } from '../environment/merchants.ts';
import { untilQuiet } from '../machine/cpu.ts';
import type { Report } from '../report/report.ts';
import { gatesOf, type Shown, type ShownPage, SlowBrowser, wasLoaded } from './pages.ts';
import { type Reader, signInOperators, signInOwner } from './people.ts';
import { measureReads } from './reads.ts';
import { measureStreams } from './streams.ts';

/** Accounts beside the grown one share the rest of the records. */
const others = 9;
const grownRows = 400_000;
const otherRows = 67_000;
const quick = { grownRows: 20_000, otherRows: 500, times: 20, pages: 40, streams: 12 };
const times = 200;
const pages = 8_000;
const streams = 200;

const operatorsPages: readonly ShownPage[] = [
  { what: 'overview', path: '/', shows: 'Volume' },
  { what: 'deposits', path: '/deposits?environment=test', shows: 'copy-' },
  { what: 'providers', path: '/providers', shows: 'sandbox' },
];
const merchantsPages = (accountId: string): readonly ShownPage[] => [
  { what: 'home', path: `/${accountId}/test/`, shows: 'Latest payments' },
  { what: 'payments', path: `/${accountId}/test/payments`, shows: 'copy-' },
  { what: 'statement', path: `/${accountId}/test/statement`, shows: 'Balance after it' },
];

/** What the consoles ask of the gateway with many records behind them, what they weigh, and what open pages cost. */
export const consoleBenchmark: Benchmark = {
  name: 'console',
  measures:
    'lists, search, overview and totals beside 1,000,000 deposits and payouts; weight and paint of six pages; deposits/s with 200 open pages',
  run: async (options) => {
    await using environment = await startEnvironment(options);
    const { stack } = environment;
    const [grown, ...rest] = await createMerchants(stack, 1 + others);
    if (!grown) throw new Error('no merchant was created');
    await writeRecords(environment, grown, rest, options);
    const [operator] = await signInOperators(stack, 1);
    if (!operator) throw new Error('no operator was signed in');
    await untilQuiet();
    options.progress('reading …');
    const [count, far] = options.quick ? [quick.times, quick.pages] : [times, pages];
    const reads = await measureReads(operator, grown.accountId, count, far);
    options.progress('showing pages …');
    const ofOperators = await show(operator, operatorsPages);
    const ofMerchants = await show(await signInOwner(stack, grown.accountId), merchantsPages(grown.accountId));
    options.progress('open pages beside deposits …');
    const open = await measureStreams(environment, grown, { count: options.quick ? quick.streams : streams, options });
    return reportOf({ reads, open, ofOperators, ofMerchants });
  },
};

async function writeRecords(
  { stack }: Environment,
  grown: Merchant,
  rest: readonly Merchant[],
  options: BenchOptions,
): Promise<void> {
  const [large, small] = options.quick ? [quick.grownRows, quick.otherRows] : [grownRows, otherRows];
  for (const list of grownLists.filter(({ what }) => what !== 'deliveries')) {
    options.progress(`writing ${(large + rest.length * small).toLocaleString('en')} ${list.what} …`);
    await growList(stack, grown, list, large);
    for (const merchant of rest) await growList(stack, merchant, list, small);
  }
}

async function show(reader: Reader, all: readonly ShownPage[]): Promise<Shown[]> {
  await using browser = await SlowBrowser.open(reader);
  const shown: Shown[] = [];
  for (const page of all) shown.push(await browser.show(page));
  return shown;
}

interface Measurements {
  readonly reads: Awaited<ReturnType<typeof measureReads>>;
  readonly open: Awaited<ReturnType<typeof measureStreams>>;
  readonly ofOperators: readonly Shown[];
  readonly ofMerchants: readonly Shown[];
}

function reportOf({ reads, open, ofOperators, ofMerchants }: Measurements): Report {
  const shown = [...ofOperators, ...ofMerchants];
  return {
    figures: [...reads.figures, ...open.figures],
    gates: [...reads.gates, ...gatesOf(ofOperators), ...gatesOf(ofMerchants), ...open.gates],
    invariants: [...open.invariants, wasLoaded(ofOperators), wasLoaded(ofMerchants)],
    notes: shown.map(({ what, paintedMs, inpMs }) => {
      return `${what}: what it shows is there after ${Math.round(paintedMs)} ms at 4× slower; the longest answer to a key ${Math.round(inpMs)} ms`;
    }),
  };
}
