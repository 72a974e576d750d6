import { setTimeout as delay } from 'node:timers/promises';
import type { BenchOptions, Benchmark } from '../benchmark.ts';
import { creationStep } from '../deposits/full-flow.ts';
import { startEnvironment, type Environment } from '../environment/environment.ts';
import { createMerchants, type Merchant } from '../environment/merchants.ts';
import type { Unit } from '../load/load.ts';
import { percentile } from '../load/percentile.ts';
import { processTree, untilQuiet } from '../machine/cpu.ts';
import type { Figures, Invariant, Report } from '../report/report.ts';
import { EventReader } from './event-reader.ts';

const depositsPerSecond = 20;
const connections = 8;
/** As many as a key may have. */
const streamsOfKey = 5;
const streams = 200;
const streamsQuick = 20;
const pollMs = 20;
const arrivalDeadlineMs = 30_000;
const bytesPerMb = 1_000_000;

/** How soon an event is in the stream of its account, and what streams that are open take of a gateway. */
export const eventsBenchmark: Benchmark = {
  name: 'events',
  measures: 'commit → frame in the event stream; memory of a gateway with 200 streams that are written to',
  run: async (options) => {
    await using environment = await startEnvironment(options);
    const count = (options.quick ? streamsQuick : streams) / streamsOfKey;
    const merchants = await createMerchants(environment.stack, count);
    await createDeposits(environment, merchants, 'warm', options.warmupSeconds);
    const [first] = merchants;
    if (!first) throw new Error('no merchant was created');
    options.progress('one stream …');
    const alone = await latencyOf(environment, [first], 1, options);
    await untilQuiet();
    const beforeMb = gatewayMb();
    options.progress(`${count * streamsOfKey} streams …`);
    const all = await latencyOf(environment, merchants, streamsOfKey, options);
    return reportOf(alone, all, all.memoryMb - beforeMb);
  },
};

interface Measured {
  readonly figures: Figures;
  readonly invariant: Invariant;
  /** Of the gateway, with the streams open. */
  readonly memoryMb: number;
}

function reportOf(alone: Measured, all: Measured, moreMb: number): Report {
  const { p50Ms, p99Ms } = alone.figures;
  return {
    figures: [alone.figures, all.figures],
    gates: [
      { what: 'commit → frame, one stream, p50', value: p50Ms, unit: 'ms', atMost: 20 },
      { what: 'commit → frame, one stream, p99', value: p99Ms, unit: 'ms', atMost: 150 },
      { what: `${streams} open streams: memory of the gateway`, value: moreMb, unit: 'MB', atMost: 60 },
    ],
    invariants: [alone.invariant, all.invariant],
    notes: [
      'what the log costs the services is part of `deposits` (full flow) and `webhooks`, which `--compare` holds against an earlier run',
    ],
  };
}

/** Deposits of all merchants at a steady rate, and when each of them is in every stream of its merchant. */
async function latencyOf(
  environment: Environment,
  merchants: readonly Merchant[],
  streamsOfEach: number,
  { seconds }: BenchOptions,
): Promise<Measured> {
  await using closing = new AsyncDisposableStack();
  const readers: EventReader[][] = [];
  for (const { headers } of merchants) {
    const opening = Array.from({ length: streamsOfEach }, () => EventReader.open(environment.stack.baseUrl, headers));
    readers.push((await Promise.all(opening)).map((reader) => closing.use(reader)));
  }
  const what = `commit → frame, ${merchants.length * streamsOfEach} streams, ${depositsPerSecond}/s`;
  const { units, elapsedMs } = await createDeposits(environment, merchants, `streams-${streamsOfEach}`, seconds);
  const arrivals = (unit: Unit) => readers.map((own) => own.map(({ arrivedAtMs }) => arrivedAtMs.get(unit.id)));
  /** The last of the streams of its merchant; undefined before it is in all of them, or in those of another. */
  const arrivedAtMs = (unit: Unit): number | undefined => {
    const [own = [], ...others] = arrivals(unit).filter((each) => each.some((atMs) => atMs !== undefined));
    return others.length > 0 || own.includes(undefined) ? undefined : Math.max(...own.map((atMs) => atMs ?? Infinity));
  };
  const deadline = performance.now() + arrivalDeadlineMs;
  const isThere = (unit: Unit) => Number.isFinite(arrivedAtMs(unit) ?? Infinity);
  while (performance.now() < deadline && !units.every(isThere)) await delay(pollMs);
  const ascending = Float64Array.from(units, (unit) =>
    // The frame may well overtake the answer.
    Math.max(0, (arrivedAtMs(unit) ?? Infinity) - unit.answeredAtMs),
  ).sort();
  const there = units.filter(isThere).length;
  return {
    figures: {
      ...{ what, ratePerSecond: (units.length * 1_000) / elapsedMs },
      ...{ p50Ms: percentile(ascending, 0.5), p99Ms: percentile(ascending, 0.99) },
    },
    invariant: {
      what: `${what}: each deposit is in every stream of its merchant, and in no other`,
      holds: units.length > 0 && there === units.length,
      found: `${there} of ${units.length} deposits`,
    },
    memoryMb: gatewayMb(),
  };
}

async function createDeposits({ stack, load }: Environment, merchants: readonly Merchant[], name: string, sec: number) {
  const pace = { kind: 'open', connections, ratePerSecond: depositsPerSecond, durationMs: sec * 1_000 } as const;
  const callers = merchants.map(({ headers }) => headers);
  return await load.run({ name, origin: stack.baseUrl, steps: [creationStep], callers, pace, listUnits: true });
}

function gatewayMb(): number {
  const gateways = processTree().filter(({ name }) => name === 'api-gateway');
  return gateways.reduce((sum, { memory }) => sum + memory().ownBytes, 0) / bytesPerMb;
}
