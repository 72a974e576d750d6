import type { Benchmark, BenchOptions } from '../benchmark.ts';
import {
  answersHold,
  costsOf,
  figuresOf,
  machineNotes,
  measureInTurns,
  type Subject,
  type Measurement,
} from '../compare.ts';
import type { LoadResult } from '../load/load.ts';
import type { Gate, Report } from '../report/report.ts';
import { CommandSender } from './command-sender.ts';
import { accounts, creditCommand, writeHistory } from './commands.ts';
import { startLedger, startLedgerServers, type BenchLedger } from './ledger-environment.ts';
import { cursorOfPage, readBalances, readPage } from './reading.ts';

const smallEntries = 10_000;
const largeEntries = 10_000_000;
const quickLargeEntries = 200_000;
const deepPage = 1_000;

/** A ledger whose hot account has a past. */
interface GrownLedger {
  readonly ledger: BenchLedger;
  readonly sender: CommandSender;
  readonly accountId: string;
  readonly deepCursor: string;
}

/** The same work on a young ledger and on one that is a thousand times older. */
export const growthBenchmark: Benchmark = {
  name: 'ledger-growth',
  measures: 'posting, balance and pages of an account with 10,000,000 entries against one with 10,000',
  run: async (options) => {
    await using parts = new AsyncDisposableStack();
    const servers = parts.use(await startLedgerServers(options));
    const large = options.quick ? quickLargeEntries : largeEntries;
    const grown: GrownLedger[] = [];
    for (const [index, entries] of [smallEntries, large].entries()) {
      options.progress(`writing a history of ${entries.toLocaleString('en')} entries …`);
      grown.push(await grow(parts, await startLedger(servers, `grown_${index}`, index, options), entries));
    }
    return await compare(grown, large, options);
  },
};

async function grow(parts: AsyncDisposableStack, ledger: BenchLedger, entries: number): Promise<GrownLedger> {
  parts.use(ledger);
  const [accountId = ''] = accounts(1);
  await ledger.stop();
  await writeHistory(ledger.databaseUrl, accountId, entries);
  await ledger.start();
  const sender = parts.use(await CommandSender.connect(ledger.natsUrl));
  return { ledger, sender, accountId, deepCursor: await cursorOfPage(ledger.nats, accountId, deepPage) };
}

async function compare(grown: readonly GrownLedger[], large: number, options: BenchOptions): Promise<Report> {
  const works: { what: string; load: (one: GrownLedger, durationMs: number) => Promise<LoadResult> }[] = [
    {
      what: 'posting',
      load: ({ sender, accountId }, durationMs) => sender.closedLoop(() => creditCommand(accountId), durationMs),
    },
    { what: 'balance', load: ({ ledger, accountId }, durationMs) => readBalances(ledger.nats, accountId, durationMs) },
    {
      what: 'first page',
      load: ({ ledger, accountId }, durationMs) => readPage(ledger.nats, accountId, undefined, durationMs),
    },
    {
      what: `page ${deepPage.toLocaleString('en')}`,
      load: ({ ledger, accountId, deepCursor }, durationMs) => readPage(ledger.nats, accountId, deepCursor, durationMs),
    },
  ];
  const measurements: Measurement[][] = [];
  for (const { what, load } of works) {
    const subjects = grown.map((one, index): Subject => {
      const size = (index === 0 ? smallEntries : large).toLocaleString('en');
      const against = index === 0 ? {} : { against: 0 };
      return { what: `${what}, ${size} entries`, ...against, load: (_label, durationMs) => load(one, durationMs) };
    });
    measurements.push(await measureInTurns(what, subjects, options));
  }
  const gates = measurements.map((measurement, index): Gate => {
    const ratio = figuresOf(measurement)[1]?.ratio ?? Number.NaN;
    return { what: `${works[index]?.what ?? ''}, cost of growth`, value: 1 / ratio, unit: '×', atMost: 1.2 };
  });
  const all = measurements.flat();
  return {
    figures: measurements.flatMap(figuresOf),
    costs: measurements.flatMap(costsOf),
    gates,
    invariants: answersHold(all),
    notes: machineNotes(all),
  };
}
