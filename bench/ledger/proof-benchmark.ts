import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { getCheckpoint, getReceipt } from '@gateway/contracts/ledger';
import { temporaryHome } from '@gateway/local-stack';
import type { Benchmark, BenchOptions } from '../benchmark.ts';
import { type LoadResult, monotonicMs } from '../load/load.ts';
import type { Report } from '../report/report.ts';
import { accounts, summariseLatencies } from './commands.ts';
import { type BenchLedger, startLedger, startLedgerServers } from './ledger-environment.ts';
import { ProvenHistory } from './proven-history.ts';

const links = 10_000_000;
const quickLinks = 20_000;
const accountCount = 1_000;
/** A day of a month with as many decisions each day. */
const daysPerHistory = 30;
const requestTimeoutMs = 30_000;
const sampleMs = 50;
const verifyScript = fileURLToPath(new URL('../../services/ledger/src/verify.ts', import.meta.url));

const checkpointReply = z.object({ ok: z.literal(true), data: getCheckpoint.reply });
const receiptReply = z.object({ ok: z.literal(true), data: getReceipt.reply });

/** What it takes to prove something of a large ledger: its last day to an auditor, an entry to a merchant. */
export const proofBenchmark: Benchmark = {
  name: 'ledger-proof',
  measures: 'with 10,000,000 links: verifying those of the last day behind a checkpoint; a receipt of any entry',
  run: async (options) => {
    await using parts = new AsyncDisposableStack();
    const servers = parts.use(await startLedgerServers(options));
    const ledger = parts.use(await startLedger(servers, 'proven', 0, options));
    const home = parts.use(temporaryHome());
    const total = options.quick ? quickLinks : links;
    const day = Math.floor(total / daysPerHistory);
    await ledger.stop();
    const history = new ProvenHistory(ledger.databaseUrl, total, accounts(accountCount));
    const checkpoints: string[] = [];
    for (const count of [total - day, day]) {
      options.progress(`writing ${count.toLocaleString('en')} links …`);
      await history.write(count);
      await ledger.start();
      options.progress('building the tree …');
      checkpoints.push(await signedOf(ledger, checkpoints.length === 0 ? total - day : total));
      if (checkpoints.length === 1) await ledger.stop();
    }
    const file = join(home.path, 'checkpoint.txt');
    writeFileSync(file, checkpoints[0] ?? '');
    options.progress('verifying the last day …');
    const verified = await verifyFrom(file, ledger.databaseUrl);
    options.progress('receipts …');
    const receipts = await readReceipts(ledger, history, total, options);
    return reportOf({ total, day, verified, receipts });
  },
};

/** Waits for the checkpoint of that size. The ledger signs what there is a minute after the last one at most. */
async function signedOf(ledger: BenchLedger, size: number): Promise<string> {
  for (;;) {
    const reply = await ledger.nats.request(getCheckpoint.subject, JSON.stringify({ environment: 'test', shard: 0 }), {
      timeout: requestTimeoutMs,
    });
    const { checkpoint } = checkpointReply.parse(reply.json()).data;
    if (checkpoint?.split('\n')[1] === String(size)) return checkpoint;
    await delay(500);
  }
}

interface Verified {
  readonly seconds: number;
  readonly residentMb: number;
  readonly output: string;
  readonly isIntact: boolean;
}

async function verifyFrom(file: string, databaseUrl: string): Promise<Verified> {
  const startedMs = monotonicMs();
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  const child = spawn(process.execPath, [verifyScript, '--from-checkpoint', file], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let residentMb = 0;
  const sampling = setInterval(() => (residentMb = residentMbOf(child.pid) ?? residentMb), sampleMs);
  const output = (await text(child.stdout)).trim();
  await exited;
  clearInterval(sampling);
  return { seconds: (monotonicMs() - startedMs) / 1_000, residentMb, output, isIntact: child.exitCode === 0 };
}

/** The most that a process has had in memory so far; not known outside Linux. */
function residentMbOf(pid: number | undefined): number | undefined {
  try {
    const kb = /VmHWM:\s+(?<kb>\d+)/.exec(readFileSync(`/proc/${pid ?? ''}/status`, 'utf8'))?.groups?.['kb'];
    return kb === undefined ? undefined : Number(kb) / 1_024;
  } catch {
    return undefined;
  }
}

/** One after the other, of entries all over the history, in an order that keeps neighbours apart. */
async function readReceipts(
  { nats }: BenchLedger,
  history: ProvenHistory,
  total: number,
  { seconds }: BenchOptions,
): Promise<LoadResult> {
  const startedMs = monotonicMs();
  const latenciesMs: number[] = [];
  const failures: Record<string, number> = {};
  let next = 0;
  while (monotonicMs() - startedMs < seconds * 1_000) {
    const sequence = 1 + ((next++ * 7_919_003) % total);
    const request = JSON.stringify({ environment: 'test', ...history.entryOf(sequence) });
    const fromMs = monotonicMs();
    const reply = await nats.request(getReceipt.subject, request, { timeout: requestTimeoutMs });
    const tookMs = monotonicMs() - fromMs;
    const parsed = receiptReply.safeParse(reply.json());
    if (parsed.data?.data.receipt?.index === sequence - 1) latenciesMs.push(tookMs);
    else failures['refused'] = (failures['refused'] ?? 0) + 1;
  }
  return summariseLatencies(latenciesMs, monotonicMs() - startedMs, failures);
}

interface Measured {
  readonly total: number;
  readonly day: number;
  readonly verified: Verified;
  readonly receipts: LoadResult;
}

function reportOf({ total, day, verified, receipts }: Measured): Report {
  const count = (number: number) => number.toLocaleString('en');
  const refused = Object.values(receipts.failures).reduce((sum, each) => sum + each, 0);
  return {
    figures: [
      {
        what: `verifying ${count(day)} of ${count(total)} links`,
        ...{ ratePerSecond: day / verified.seconds, p50Ms: Number.NaN, p99Ms: Number.NaN },
      },
      {
        what: `receipt, of ${count(total)} links`,
        ratePerSecond: (receipts.answered * 1_000) / receipts.elapsedMs,
        ...{ p50Ms: receipts.p50Ms, p99Ms: receipts.p99Ms },
      },
    ],
    gates: [
      { what: 'verifying a day behind a checkpoint', value: verified.seconds, unit: 's', atMost: 60 },
      { what: 'memory of the verification', value: verified.residentMb, unit: 'MB', atMost: 400 },
      { what: 'receipt, p99', value: receipts.p99Ms, unit: 'ms', atMost: 50 },
    ],
    invariants: [
      { what: 'what was verified is intact', holds: verified.isIntact, found: verified.output },
      {
        what: 'each receipt is of the entry asked for',
        holds: refused === 0 && receipts.answered > 0,
        found: `${receipts.answered} receipts, ${refused} others`,
      },
    ],
    notes: [`The verification had ${verified.residentMb.toFixed(0)} MB of memory at most.`],
  };
}
