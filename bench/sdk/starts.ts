import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monotonicMs } from '../load/load.ts';
import { median } from '../load/percentile.ts';
import type { Figures } from '../report/report.ts';

/** Programs that end at once: they import nothing, or an entry of the SDK. */
const programs = { empty: '', client: '@gateway/sdk', webhooks: '@gateway/sdk/webhooks' } as const;
type Program = keyof typeof programs;
type Added = Readonly<Record<Exclude<Program, 'empty'>, number>>;
const end = 'const { user, system } = process.cpuUsage();\nprocess.stdout.write(String(user + system));\n';

/** What an import adds to the start of a program: the median over pairs that ran one after the other. */
export interface Starts {
  readonly figures: Figures[];
  readonly addedMs: Added;
  /** Of processor time, which other work on the machine moves less. */
  readonly addedCpuMs: Added;
}

interface Start {
  readonly ms: number;
  readonly cpuMs: number;
}

/** Starts each program in a Node of its own, in turns. @param project has the SDK installed */
export function measureStarts(project: string, rounds: number): Starts {
  const names = Object.keys(programs) as Program[];
  for (const name of names) {
    const module = programs[name];
    writeFileSync(join(project, `${name}.mjs`), `${module === '' ? '' : `import '${module}';\n`}${end}`);
  }
  const starts: Record<Program, Start[]> = { empty: [], client: [], webhooks: [] };
  // The first round reads the files from the disk, and is not counted.
  for (let round = 0; round <= rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const start = startOnce(project, name);
      if (round > 0) starts[name].push(start);
    }
  }
  const added = (figure: keyof Start): Added => {
    const of = (name: Program) =>
      median(starts[name].map((start, index) => start[figure] - (starts.empty[index]?.[figure] ?? Number.NaN)));
    return { client: of('client'), webhooks: of('webhooks') };
  };
  const figures = names.map((name) =>
    figuresOf(
      name,
      starts[name].map(({ ms }) => ms),
    ),
  );
  return { figures, addedMs: added('ms'), addedCpuMs: added('cpuMs') };
}

/** Without what this run has in its environment: a merchant's Node keeps no compiled code. */
function startOnce(project: string, name: Program): Start {
  const startedAtMs = monotonicMs();
  const { status, stdout, stderr } = spawnSync(process.execPath, [`${name}.mjs`], { cwd: project, env: {} });
  if (status !== 0) throw new Error(`${name}.mjs ended with ${String(status)}: ${stderr.toString()}`);
  return { ms: monotonicMs() - startedAtMs, cpuMs: Number(stdout.toString()) / 1_000 };
}

function figuresOf(name: Program, tookMs: readonly number[]): Figures {
  const module = programs[name];
  return {
    what: module === '' ? 'start of an empty program' : `start of one that imports ${module}`,
    ratePerSecond: 1_000 / median(tookMs),
    p50Ms: median(tookMs),
    p99Ms: Math.max(...tookMs),
  };
}
