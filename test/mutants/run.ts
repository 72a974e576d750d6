import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import setup from '../global-setup.ts';
import { catalogue } from './catalogue/catalogue.ts';
import { mutated, staleEntries, type Mutant } from './mutant.ts';
import { isGood, lineOf, tableOf, writeTable, type Fate, type Outcome } from './report.ts';
import { patientTimeoutMs, runTests, type RunOptions, type TestRun } from './run-tests.ts';
import { copyRepository } from './working-copy.ts';

const usage = `npm run test:mutants -- [options] [workspace …]
  ledger webhooks     the mutants of these services or packages alone
  --id L01            this one; may be repeated
  --write             puts the table into docs/reliability.md`;

const repository = join(import.meta.dirname, '../..');
/** A fault may make a test wait for ever: with one it has so many times as long as without, and at least so long. */
const patience = 4;
const testTimeoutMinMs = 30_000;

/** `npm run test:mutants`: one fault after the other in a copy of the repository; the named test has to fall. */
process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  let chosen: readonly Mutant[];
  let writes: boolean;
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { id: { type: 'string', multiple: true, default: [] }, write: { type: 'boolean', default: false } },
    });
    chosen = chosenFrom(positionals, values.id);
    ({ write: writes } = values);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}\n`);
    return 2;
  }
  const stale = staleEntries(chosen, repository);
  if (stale.length > 0) return complain(stale);
  const outcomes = await tryAll(chosen);
  if (outcomes === null) return 1;
  process.stdout.write(`\n${tableOf(outcomes)}\n`);
  if (writes) writeTable(outcomes);
  return isGood(outcomes) ? 0 : 1;
}

/** @throws TypeError naming what the catalogue does not have */
function chosenFrom(workspaces: readonly string[], ids: readonly string[]): readonly Mutant[] {
  const all = Object.values(catalogue).flat();
  for (const name of workspaces) if (!(name in catalogue)) throw new TypeError(`no mutants of ${name}`);
  for (const id of ids) if (!all.some((mutant) => mutant.id === id)) throw new TypeError(`no mutant ${id}`);
  if (workspaces.length + ids.length === 0) return all;
  const named = workspaces.flatMap((name) => catalogue[name as keyof typeof catalogue]);
  return [...named, ...all.filter(({ id }) => ids.includes(id))];
}

/** Null when a named test falls, or does not exist, without any fault. */
async function tryAll(chosen: readonly Mutant[]): Promise<Outcome[] | null> {
  await using stack = new AsyncDisposableStack();
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopping.abort());
  process.once('disconnect', () => stopping.abort());
  // Listening to it does not keep this process from ending.
  process.channel?.unref();
  stack.defer(await setup());
  const copy = stack.use(copyRepository(repository));
  const tried = chosen.filter(({ equivalent }) => equivalent === undefined);
  process.stdout.write(`${tried.length} named tests on the code as it is …\n`);
  const { signal } = stopping;
  const unmutated = await runTests(copy.path, tried, { testTimeoutMs: patientTimeoutMs, signal });
  const unfit = tried.filter((mutant) => fateOf(unmutated, mutant) !== 'survived');
  if (unfit.length > 0) {
    complain([...unfit.map(({ id, test, named }) => `${id}: ${test} > ${named} does not pass`), unmutated.output]);
    return null;
  }
  const outcomes: Outcome[] = [];
  for (const mutant of chosen) {
    const longestMs = Math.max(0, ...testsOf(unmutated, mutant).map(({ durationMs }) => durationMs));
    const testTimeoutMs = Math.max(testTimeoutMinMs, patience * longestMs);
    const outcome = await tryOne(mutant, copy.path, { testTimeoutMs, signal });
    if (signal.aborted) return null;
    process.stdout.write(lineOf(outcome));
    outcomes.push(outcome);
  }
  return outcomes;
}

async function tryOne(mutant: Mutant, directory: string, options: RunOptions): Promise<Outcome> {
  if (mutant.equivalent !== undefined) return { mutant, fate: 'equivalent', seconds: 0 };
  const file = join(directory, mutant.file);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, mutated(text, mutant));
  const startedMs = performance.now();
  const run = await runTests(directory, [mutant], options);
  const seconds = (performance.now() - startedMs) / 1_000;
  writeFileSync(file, text);
  const fate = fateOf(run, mutant);
  if (fate === 'unusable') process.stdout.write(run.output);
  return { mutant, fate, seconds };
}

/** What has become of a mutant: its tests have to have run, and one of them has to have failed. */
function fateOf(run: TestRun, mutant: Mutant): Fate {
  if (run.isTimedOut) return 'killed';
  const own = testsOf(run, mutant);
  if (own.length === 0) return 'unusable';
  return own.some(({ status }) => status === 'failed') ? 'killed' : 'survived';
}

function testsOf({ tests }: TestRun, { test, named }: Mutant): TestRun['tests'] {
  return tests.filter(({ file, name }) => file === test && name.includes(named));
}

function complain(lines: readonly string[]): number {
  process.stderr.write(`${lines.join('\n')}\n`);
  return 1;
}
