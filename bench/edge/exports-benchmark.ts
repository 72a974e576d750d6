import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import { exportResourceSchema } from '@gateway/public-api';
import type { Benchmark, BenchOptions } from '../benchmark.ts';
import { mediansOf } from '../compare.ts';
import { plainCreationStep } from '../deposits/full-flow.ts';
import { startEnvironment, type Environment } from '../environment/environment.ts';
import { callApi, createMerchants, fundMerchants, readBalance, type Merchant } from '../environment/merchants.ts';
import { ProvenHistory } from '../ledger/proven-history.ts';
import type { LoadResult } from '../load/load.ts';
import { processTree, untilQuiet } from '../machine/cpu.ts';
import type { Invariant, Report } from '../report/report.ts';

const movements = 10_000_000;
const quickMovements = 40_000;
const callsPerSecond = 50;
const callConnections = 16;
const bookedMeanwhileCents = 5_000;
const sampleMs = 1_000;
const pollMs = 500;
const bytesPerMb = 1_048_576;
const p99RatioMax = 1.3;
const memoryRatioMax = 1.1;

type Export = z.infer<typeof exportResourceSchema>;

/** Another merchant's calls while a large file is written, and what the process that writes it has in memory. */
export const exportsBenchmark: Benchmark = {
  name: 'exports',
  measures: "a merchant's calls while 10,000,000 movements of another are written into a file, against alone",
  run: async (options) => {
    await using environment = await startEnvironment(options);
    const { stack } = environment;
    const [grown, other] = await createMerchants(stack, 2);
    if (!grown || !other) throw new Error('no merchant was created');
    const rows = options.quick ? quickMovements : movements;
    options.progress(`writing ${rows.toLocaleString('en')} movements …`);
    // The history is written by SQL: of its credits there are no deposits, which the reconciler would report again and again.
    for (const service of ['reconciler', 'ledger']) await stack.process(service).stop();
    await new ProvenHistory(stack.databaseUrls['gateway_ledger'] ?? '', rows, [grown.accountId]).write(rows);
    await stack.process('ledger').start();
    const closing = await balanceOnceReady(environment, grown);
    await untilQuiet();
    return await measure(environment, { grown, other }, { rows, closing }, options);
  },
};

interface Merchants {
  /** Whose movements are exported. */
  readonly grown: Merchant;
  readonly other: Merchant;
}

interface Expected {
  readonly rows: number;
  readonly closing: number;
}

async function measure(
  environment: Environment,
  { grown, other }: Merchants,
  expected: Expected,
  options: BenchOptions,
): Promise<Report> {
  const durationMs = options.seconds * 1_000;
  const calls = (name: string, ms = durationMs) => callsOf(environment, other, name, ms);
  await calls('warmup', options.warmupSeconds * 1_000);
  const alone: LoadResult[] = [];
  for (let round = 0; round < options.rounds; round += 1) alone.push(await calls(`alone-${round}`));
  using memory = sampleMemory();
  const startedAt = performance.now();
  const { id } = await ask(environment, grown);
  // Booked while the file is written: it must not be in it.
  await fundMerchants(environment.stack, [grown], bookedMeanwhileCents);
  const beside: LoadResult[] = [];
  let exported = await read(environment, grown, id);
  while (exported.status === 'PROCESSING') {
    beside.push(await calls(`beside-${beside.length}`));
    exported = await read(environment, grown, id);
    options.progress(`${Math.round((performance.now() - startedAt) / 1_000)} s: ${exported.status}`);
  }
  const seconds = (exported.completed_at ?? 0) - exported.created_at;
  const file = await download(exported);
  const figures = [
    mediansOf(`${callsPerSecond} deposits a second, alone`, alone),
    mediansOf('the same while the file is written', beside),
  ];
  const [before, during] = memory.halves();
  return {
    figures,
    gates: [
      { what: 'p99 beside, over alone', value: p99Ratio(figures), unit: '×', atMost: p99RatioMax },
      { what: 'memory in the second half over the first', value: during / before, unit: '×', atMost: memoryRatioMax },
    ],
    invariants: [...holds(exported, file, expected), answered(alone, beside)],
    notes: [
      `the file: ${expected.rows.toLocaleString('en')} rows, ${Math.round(file.bytes / bytesPerMb)} MB, in ${seconds} s`,
      `api-gateway: up to ${Math.round(before / bytesPerMb)} MB in the first half, ${Math.round(during / bytesPerMb)} MB in the second`,
    ],
  };
}

function p99Ratio([alone, beside]: readonly { readonly p99Ms: number }[]): number {
  return (beside?.p99Ms ?? Number.NaN) / (alone?.p99Ms ?? Number.NaN);
}

async function balanceOnceReady({ stack }: Environment, merchant: Merchant): Promise<number> {
  for (;;) {
    const balance = await readBalance(stack, merchant).catch(() => undefined);
    if (balance) return balance.brl.available_cents;
    await delay(pollMs);
  }
}

async function callsOf({ load, stack }: Environment, { headers }: Merchant, name: string, durationMs: number) {
  return await load.run({
    name,
    origin: stack.baseUrl,
    steps: [plainCreationStep],
    callers: [headers],
    pace: { kind: 'open', connections: callConnections, durationMs, ratePerSecond: callsPerSecond },
  });
}

async function ask({ stack }: Environment, { headers }: Merchant): Promise<Export> {
  const day = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
  const body = {
    ...{ kind: 'statement', format: 'csv', currency: 'BRL', external_id: 'all', timezone: 'Etc/UTC' },
    ...{ from: `${day.slice(0, 'yyyy-mm'.length)}-01`, to: day },
  };
  return await callApi({ method: 'POST', url: `${stack.baseUrl}/v1/exports`, headers, body }, exportResourceSchema);
}

async function read({ stack }: Environment, { headers }: Merchant, id: string): Promise<Export> {
  return await callApi({ method: 'GET', url: `${stack.baseUrl}/v1/exports/${id}`, headers }, exportResourceSchema);
}

interface Downloaded {
  readonly bytes: number;
  readonly lines: number;
  readonly sha256: string;
}

async function download({ download_url: url, reason }: Export): Promise<Downloaded> {
  if (url === null) throw new Error(`there is no file: ${reason ?? 'no reason'}`);
  const response = await fetch(url);
  if (!response.body) throw new Error(`the file answered ${response.status}`);
  const hash = createHash('sha256');
  let [bytes, lines] = [0, 0];
  const body: AsyncIterable<Uint8Array> = response.body;
  for await (const chunk of body) {
    hash.update(chunk);
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 0x0a) lines += 1;
  }
  return { bytes, lines, sha256: hash.digest('hex') };
}

function holds(exported: Export, file: Downloaded, { rows, closing }: Expected): Invariant[] {
  const { opening_cents: opening, closing_cents: closed, sha256 } = exported;
  return [
    {
      what: 'the file has every movement up to its beginning and none of later, and closes with that balance',
      holds: exported.rows === rows && file.lines === rows + 1 && opening === 0 && closed === closing,
      found: `${exported.rows} rows, ${file.lines} lines, from ${opening} to ${closed}; the balance was ${closing}`,
    },
    { what: 'its digest is that of the file', holds: file.sha256 === sha256, found: file.sha256 },
  ];
}

function answered(alone: readonly LoadResult[], beside: readonly LoadResult[]): Invariant {
  const failures = [...alone, ...beside].flatMap((result) => Object.entries(result.failures));
  return {
    what: 'every call answered as it should be',
    holds: failures.length === 0 && beside.length > 0,
    found: failures.map(([code, count]) => `${count} × ${code}`).join(', ') || 'no failure',
  };
}

/** The most that the gateway has in memory, in the first and in the second half of the time. */
function sampleMemory() {
  const samples: number[] = [];
  const sample = () => {
    const gateway = processTree().find(({ name }) => name === 'api-gateway');
    if (gateway) samples.push(gateway.memory().residentBytes);
  };
  const timer = setInterval(sample, sampleMs);
  return {
    halves: (): readonly [number, number] => {
      sample();
      const half = Math.ceil(samples.length / 2);
      return [Math.max(...samples.slice(0, half)), Math.max(...samples.slice(half - 1))];
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
