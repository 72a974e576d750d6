import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Report } from './report/report.ts';

/** How long and how hard to measure. */
export interface BenchOptions {
  /** Length of one round of load. */
  readonly seconds: number;
  /** Keep-alive connections of the closed loop. */
  readonly connections: number;
  /** Rounds per subject, taken in turn. */
  readonly rounds: number;
  /** Length of the round that warms each subject up and is not counted. */
  readonly warmupSeconds: number;
  /** Everything small: shows that the benchmark works; gates are not evaluated. */
  readonly quick: boolean;
  /** Services write a CPU profile here when they end. */
  readonly profileDirectory: string | undefined;
  /** Called with a line about what is measured now. */
  readonly progress: (line: string) => void;
}

/** One row of `npm run bench`. */
export interface Benchmark {
  readonly name: string;
  /** One line: what is compared with what. */
  readonly measures: string;
  run(options: BenchOptions): Promise<Report>;
}

const defaults = { seconds: 10, connections: 64, rounds: 5, warmupSeconds: 5 };
const quickDefaults = { seconds: 2, connections: 64, rounds: 2, warmupSeconds: 1 };

export const usage = `npm run bench -- [<name> …] [options]
  no name           all, and their figures into docs/performance.md (not with --quick)
  --write           the figures of the named ones into docs/performance.md
  --seconds n       length of one round of load (10)
  --connections n   keep-alive connections of the closed loop (64)
  --rounds n        rounds per subject, taken in turn (5)
  --compare file    what became of the figures since the run that wrote the file, such as docs/performance.json
                    of another commit; fails when one is worse
  --quick           2 rounds of 2 seconds and few accounts: does it work? No gate is evaluated
  --profile dir     every service writes a CPU profile there when it ends (slows them down a little)`;

export interface BenchCall {
  /** None: all. */
  readonly names: readonly string[];
  /** The figures become those of docs/performance.md. */
  readonly write: boolean;
  /** Where the report goes as JSON, for the process that started this one. */
  readonly reportFile: string | undefined;
  /** Figures of an earlier run that these are compared with. */
  readonly compareFile: string | undefined;
  readonly options: BenchOptions;
}

/** @throws TypeError naming the argument that does not fit */
export function readOptions(args: string[], progress: BenchOptions['progress']): BenchCall {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      seconds: { type: 'string' },
      connections: { type: 'string' },
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      profile: { type: 'string' },
      write: { type: 'boolean', default: false },
      report: { type: 'string' },
      compare: { type: 'string' },
    },
  });
  if (values.write && values.quick) throw new TypeError('--quick measures nothing that is worth to --write');
  const base = values.quick ? quickDefaults : defaults;
  const options = {
    ...base,
    seconds: positive('seconds', values.seconds, base.seconds),
    connections: positive('connections', values.connections, base.connections),
    rounds: positive('rounds', values.rounds, base.rounds),
    quick: values.quick,
    profileDirectory: values.profile === undefined ? undefined : newDirectory(values.profile),
    progress,
  };
  const write = values.write || (positionals.length === 0 && !values.quick);
  return { names: positionals, write, reportFile: values.report, compareFile: values.compare, options };
}

/** What makes another process read the same options. */
export function argsOf({ seconds, connections, rounds, quick, profileDirectory }: BenchOptions): string[] {
  const numbers = Object.entries({ seconds, connections, rounds }).map(([name, value]) => `--${name}=${value}`);
  const profile = profileDirectory === undefined ? [] : [`--profile=${profileDirectory}`];
  return [...numbers, ...(quick ? ['--quick'] : []), ...profile];
}

function positive(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!Number.isInteger(value) || value <= 0) throw new TypeError(`--${name} must be a positive whole number`);
  return value;
}

function newDirectory(path: string): string {
  const directory = resolve(path);
  mkdirSync(directory, { recursive: true });
  return directory;
}
