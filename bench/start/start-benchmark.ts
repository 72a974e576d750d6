import { startStack, temporaryHome } from '@gateway/local-stack';
import type { Benchmark } from '../benchmark.ts';
import { monotonicMs } from '../load/load.ts';
import { median } from '../load/percentile.ts';
import { processTree, untilQuiet } from '../machine/cpu.ts';
import type { Figures } from '../report/report.ts';
import { laterServices } from './later-services.ts';

const bytesPerMb = 1_000_000;

/** As `npm start` does it, data on disk and all; the first start makes the cluster, the databases and the demo merchant. */
export const startBenchmark: Benchmark = {
  name: 'start',
  measures: 'from nothing to ready, from kept data to ready, and the memory of all services when they are',
  run: async ({ quick, rounds, progress }) => {
    using home = temporaryHome();
    const first = await startOnce(home.path);
    progress(`first start: ${Math.round(first.tookMs)} ms`);
    const again: Start[] = [];
    for (let round = 0; round < (quick ? 1 : rounds); round++) {
      again.push(await startOnce(home.path));
      progress(`start ${round + 2}: ${Math.round(again.at(-1)?.tookMs ?? 0)} ms`);
    }
    const all = [first, ...again];
    const againMs = median(again.map(({ tookMs }) => tookMs));
    const residentMb = median(all.map(({ byService }) => firstSevenBytes(byService))) / bytesPerMb;
    return {
      figures: [figuresOf('first start', [first]), figuresOf('later start', again)],
      gates: [
        { what: 'ready, first start', value: first.tookMs / 1_000, unit: 's', atMost: 10 },
        { what: 'ready, later start', value: againMs / 1_000, unit: 's', atMost: 10 },
        { what: 'the first seven services, resident', value: residentMb, unit: 'MB', atMost: 900 },
      ],
      invariants: [
        {
          what: 'every start had the same merchant',
          holds: new Set(all.map(({ accountId }) => accountId)).size === 1 && first.accountId !== undefined,
          found: [...new Set(all.map(({ accountId }) => String(accountId)))].join(', '),
        },
      ],
      notes: [`resident, by service: ${describe(all.at(-1)?.byService ?? {})}; PostgreSQL and NATS come on top`],
    };
  },
};

interface Start {
  readonly tookMs: number;
  readonly byService: Readonly<Record<string, number>>;
  readonly accountId: string | undefined;
}

async function startOnce(home: string): Promise<Start> {
  const startedAtMs = monotonicMs();
  await using stack = await startStack({ home, quiet: true });
  const tookMs = monotonicMs() - startedAtMs;
  await untilQuiet();
  const services = processTree()
    .filter(({ isService }) => isService)
    .map(({ name, memory }) => ({ name, ...memory() }));
  return {
    tookMs,
    byService: Object.fromEntries(services.map(({ name, residentBytes }) => [name, residentBytes])),
    accountId: stack.dev.merchants[0]?.account_id,
  };
}

function figuresOf(what: string, starts: readonly Start[]): Figures {
  const tookMs = starts.map((start) => start.tookMs);
  return {
    what,
    ratePerSecond: 1_000 / median(tookMs),
    p50Ms: median(tookMs),
    p99Ms: Math.max(...tookMs),
  };
}

function firstSevenBytes(byService: Readonly<Record<string, number>>): number {
  const first = Object.entries(byService).filter(([name]) => !laterServices.includes(name));
  return first.reduce((sum, [, bytes]) => sum + bytes, 0);
}

function describe(byService: Readonly<Record<string, number>>): string {
  return Object.entries(byService)
    .map(([name, bytes]) => `${name} ${Math.round(bytes / bytesPerMb)} MB`)
    .join(', ');
}
