import { z } from 'zod';
import { reconciliationSchema, runReconciliation } from '@gateway/contracts/ledger';
import type { Benchmark, BenchOptions } from '../benchmark.ts';
import {
  answersHold,
  costsOf,
  figuresOf,
  machineNotes,
  measureInTurns,
  type Measurement,
  type Subject,
} from '../compare.ts';
import type { Figures, Invariant, Report } from '../report/report.ts';
import { CommandSender } from './command-sender.ts';
import { accounts, creditCents, creditCommand, feeCents, turns } from './commands.ts';
import { startLedger, startLedgerServers, type BenchLedger } from './ledger-environment.ts';
import { RowLockLedger, type Locks } from './row-lock.ts';

const spreadAccounts = 10_000;
const reconciliationTimeoutMs = 600_000;

/** Chain, idempotency and durability are on in every figure. */
export const ledgerBenchmark: Benchmark = {
  name: 'ledger',
  measures: 'commands through JetStream into the ledger against one row-locking transaction per command',
  run: async (options) => {
    await using servers = await startLedgerServers(options);
    await using ledger = await startLedger(servers, 'ledger', 0, options);
    await using baseline = await RowLockLedger.start(await servers.createDatabase('row_lock'));
    await using sender = await CommandSender.connect(ledger.natsUrl);
    return await measure(ledger, baseline, sender, options);
  },
};

async function measure(
  ledger: BenchLedger,
  baseline: RowLockLedger,
  sender: CommandSender,
  options: BenchOptions,
): Promise<Report> {
  const one = accounts(1);
  const many = accounts(spreadAccounts);
  await baseline.open([...one, ...many]);
  const hot = await measureInTurns('hot', hotSubjects(turns(one), baseline, sender), options);
  const spread = await measureInTurns('spread', spreadSubjects(turns(many), baseline, sender), options);
  const paced = await measureInTurns('paced', [openLoop(1_000, one, sender), openLoop(5_000, one, sender)], options);
  const measurements = [...hot, ...spread, ...paced];
  const [hotFigures, spreadFigures, pacedFigures] = [figuresOf(hot), figuresOf(spread), figuresOf(paced)];
  const [slow, fast] = pacedFigures;
  return {
    figures: [...hotFigures, ...spreadFigures, ...pacedFigures],
    costs: [hot, spread, paced].flatMap(costsOf),
    gates: [
      { what: 'one hot account, over row locks', value: ratioOf(hotFigures), unit: '×', atLeast: 20 },
      { what: '10,000 accounts, over row locks', value: ratioOf(spreadFigures), unit: '×', atLeast: 4 },
      { what: '1,000/s, p99', value: slow?.p99Ms ?? Number.NaN, unit: 'ms', atMost: 20 },
      { what: '5,000/s, p99', value: fast?.p99Ms ?? Number.NaN, unit: 'ms', atMost: 100 },
    ],
    invariants: [
      ...answersHold(measurements),
      await ledgerHolds(ledger, measurements),
      await baselineHolds(baseline, measurements),
    ],
    notes: machineNotes(measurements),
  };
}

/** The ledger comes last, and is compared with the first. */
function ratioOf(figures: readonly Figures[]): number {
  return figures.at(-1)?.ratio ?? Number.NaN;
}

/** Our own accounts are in every command: to keep their balances right too is the same work as ours. */
function hotSubjects(one: () => string, baseline: RowLockLedger, sender: CommandSender): Subject[] {
  return [
    rowLocks('one hot account', 'all accounts', one, baseline),
    rowLocks('one hot account', 'merchant', one, baseline),
    { ...closedLoop('one hot account', one, sender), against: 0 },
  ];
}

/** Only the merchant's row is locked, which is in the baseline's favour: with ours, two accounts are hot here too. */
function spreadSubjects(many: () => string, baseline: RowLockLedger, sender: CommandSender): Subject[] {
  return [
    rowLocks('10,000 accounts', 'merchant', many, baseline),
    { ...closedLoop('10,000 accounts', many, sender), against: 0 },
  ];
}

function rowLocks(what: string, locks: Locks, next: () => string, baseline: RowLockLedger): Subject {
  return {
    what: `${what}, row locks on ${locks}, 32 connections`,
    load: (_label, durationMs) => baseline.load(locks, next, durationMs),
  };
}

function closedLoop(what: string, next: () => string, sender: CommandSender): Subject {
  return {
    what: `${what}, ledger`,
    load: (_label, durationMs) => sender.closedLoop(() => creditCommand(next()), durationMs),
  };
}

function openLoop(ratePerSecond: number, accountIds: readonly string[], sender: CommandSender): Subject {
  const next = turns(accountIds);
  return {
    what: `one hot account, ledger, ${ratePerSecond}/s`,
    load: (_label, durationMs) => sender.openLoop(() => creditCommand(next()), durationMs, ratePerSecond),
  };
}

const replySchema = z.object({ ok: z.literal(true), data: reconciliationSchema });

/** The ledger proves itself: every link, every sum, every number; and it has decided what was answered. */
async function ledgerHolds({ nats }: BenchLedger, measurements: readonly Measurement[]): Promise<Invariant> {
  const reply = await nats.request(runReconciliation.subject, '{}', { timeout: reconciliationTimeoutMs });
  const { data } = replySchema.parse(reply.json());
  const answered = answeredBy(measurements, (what) => !what.includes('row locks'));
  const links = data.checks.find((check) => check.name === 'chain_intact' && check.environment === 'test')?.examined;
  return {
    what: 'ledger: reconciled after the run, one link per answer',
    holds: data.status === 'OK' && links === answered,
    found: `${data.status}, ${links} links for ${answered} answers`,
  };
}

async function baselineHolds(baseline: RowLockLedger, measurements: readonly Measurement[]): Promise<Invariant> {
  const answered = answeredBy(measurements, (what) => what.includes('row locks'));
  const { commands, balances, entries } = await baseline.totals();
  const cents = answered * (creditCents - feeCents);
  return {
    what: 'row locks: each command once, entries = balances',
    holds: commands === answered && balances === cents && entries === cents,
    found: `${commands} commands for ${answered} answers, ${balances} and ${entries} of ${cents} cents`,
  };
}

function answeredBy(measurements: readonly Measurement[], counts: (what: string) => boolean): number {
  return measurements.filter(({ subject }) => counts(subject.what)).reduce((sum, { answered }) => sum + answered, 0);
}
