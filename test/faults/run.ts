import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readOptions, usage, type Options } from './options.ts';
import { planOf } from './plan.ts';
import { explainedInTime } from './checks/explained.ts';
import { awaitInFlight } from './checks/in-flight.ts';
import { heading, lineOf, writeTable } from './report.ts';
import { runSeed, type Outcome } from './run-seed.ts';
import { startStage } from './stage/stage.ts';

const homes = join(import.meta.dirname, '../../.gateway/faults');

/** `npm run test:faults`: seed after seed on one stack, up to the first that is unclean; its logs are kept. */
process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  let options: Options;
  try {
    options = readOptions(args);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}\n`);
    return 2;
  }
  const home = join(homes, String(process.pid));
  mkdirSync(home, { recursive: true, mode: 0o711 });
  const outcomes = await runSeeds(options, home);
  const unclean = outcomes.find(({ problems }) => problems.length > 0);
  if (options.writes) writeTable(outcomes, options);
  if (unclean === undefined) {
    rmSync(home, { recursive: true, force: true });
    return 0;
  }
  const repeat = `npm run test:faults -- --seed ${unclean.seed}${options.isShort ? ' --short' : ''}`;
  process.stdout.write(`\n${unclean.problems.join('\n')}\n\nagain: ${repeat}\nlogs: ${join(home, 'logs')}\n`);
  return 1;
}

async function runSeeds(options: Options, home: string): Promise<Outcome[]> {
  const { seeds, isShort, topology } = options;
  await using stage = await startStage({ topology, home });
  // The seed under way is finished, and everything that was started ends with it.
  let isEnding = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isEnding = true));
  process.stdout.write(`${heading}\n`);
  const outcomes: Outcome[] = [];
  for (const seed of seeds) {
    if (isEnding) break;
    const outcome = await runSeed(stage, planOf(seed, stage, isShort));
    outcomes.push(outcome);
    process.stdout.write(`${lineOf(outcome)}\n`);
    if (outcome.problems.length > 0) return outcomes;
  }
  if (isShort) return outcomes;
  await awaitInFlight(
    stage,
    outcomes.flatMap(({ inFlight }) => inFlight),
  );
  process.stdout.write(`${await explainedInTime(stage)}\n`);
  return outcomes;
}
