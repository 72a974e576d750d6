import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { markdownTable, writeMarkedTable } from '../../support/marked-table.ts';
import { countCells, killRate, killRateMin } from '../kill-rate.ts';
import { areaOf, areas, areaVariable, randomTestsVariable, type AreaName } from './areas.ts';
import { equivalentMutants } from './equivalent.ts';
import { outcomesOf, staleEntries, type Outcome } from './outcome.ts';

const usage = `npm run test:mutants:core -- [options] [area …]
  ${Object.keys(areas).join(' ')}
  --file part         only files whose path has the part
  --again             also what has not changed since the last run
  --write             puts the table into docs/reliability.md (all areas)`;

const repository = join(import.meta.dirname, '../../..');
const page = join(repository, 'docs/reliability.md');
const titles = ['area', 'mutants', 'killed', 'survived', 'equivalent', 'rate'];
/** A test may take this much longer than without a fault: the machine may be busy. */
const slackMs = 60_000;

/** `npm run test:mutants:core`: Stryker's faults in the pure core, each against the tests that need no server. */
process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { file: { type: 'string' }, again: { type: 'boolean' }, write: { type: 'boolean' } },
  });
  const unknown = positionals.filter((name) => !(name in areas));
  if (unknown.length > 0) {
    process.stderr.write(`no area ${unknown.join(', ')}\n\n${usage}\n`);
    return 2;
  }
  process.chdir(repository);
  const names = (positionals.length > 0 ? positionals : Object.keys(areas)) as AreaName[];
  const outcomes: Outcome[] = [];
  for (const name of names) outcomes.push(...(await mutateArea(name, values.file, values.again === true)));
  const stale = staleEntries(equivalentMutants, outcomes);
  for (const outcome of outcomes.filter(({ fate }) => fate === 'survived')) process.stdout.write(linesOf(outcome));
  for (const { file, line } of stale) process.stderr.write(`${file}: the entry for "${line}" fits no survivor\n`);
  const table = tableOf(outcomes);
  process.stdout.write(`\n${table}\n`);
  if (values.write === true) writeMarkedTable(page, 'core mutants', table);
  const areRatesGood = names.every((name) => killRate(outcomes.filter(({ area }) => area === name)) >= killRateMin);
  return stale.length === 0 && areRatesGood ? 0 : 1;
}

/** Random tests take seconds for each fault, so only those that survived the other tests meet them. */
async function mutateArea(area: AreaName, part: string | undefined, again: boolean): Promise<Outcome[]> {
  process.env[areaVariable] = area;
  Reflect.deleteProperty(process.env, randomTestsVariable);
  const outcomes = await mutate(area, part, again);
  if (areaOf(area).randomTests === undefined) return outcomes;
  process.env[randomTestsVariable] = 'yes';
  return await mutate(area, part, false);
}

async function mutate(area: AreaName, part: string | undefined, again: boolean): Promise<Outcome[]> {
  const { code } = areaOf(area);
  const remembered = `.gateway/mutants-${area.replaceAll(' ', '-')}.json`;
  forgetSurvivors(remembered);
  const stryker = new Stryker({
    mutate: [...code, '!**/*.test.ts', '!**/index.ts', ...(part === undefined ? [] : [`!**/!(*${part}*)`])],
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutants/core/vitest.config.ts' },
    plugins: ['@stryker-mutator/vitest-runner', join(import.meta.dirname, 'error-texts.ts')],
    ignorers: ['error-texts'],
    ignorePatterns: ['.gateway', 'bench', 'deploy', 'docs', 'examples'],
    tempDirName: '.gateway/mutants',
    incremental: true,
    incrementalFile: remembered,
    force: again,
    concurrency: 1,
    timeoutMS: slackMs,
    reporters: ['progress-append-only'],
    allowConsoleColors: false,
  });
  return outcomesOf(
    area,
    (await stryker.runMutationTest()).map((result) => ({ ...result, fileName: relative(repository, result.fileName) })),
    equivalentMutants,
  );
}

/**
 * What survived is tried again in every run: Stryker takes the fate of code that runs while a file is loaded over from the
 * last run, however many tests were added since.
 */
function forgetSurvivors(remembered: string): void {
  if (!existsSync(remembered)) return;
  const report = JSON.parse(readFileSync(remembered, 'utf8')) as RememberedReport;
  for (const file of Object.values(report.files)) {
    file.mutants = file.mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout');
  }
  writeFileSync(remembered, JSON.stringify(report));
}

interface RememberedReport {
  readonly files: Readonly<Record<string, { mutants: { readonly status: string }[] }>>;
}

function linesOf({ file, position, line, original, replacement }: Outcome): string {
  return `survived  ${file}:${position}  ${line}\n  - ${original}\n  + ${replacement}\n`;
}

function tableOf(outcomes: readonly Outcome[]): string {
  const rows = [...Map.groupBy(outcomes, ({ area }) => area), ['all', outcomes] as const];
  return markdownTable(
    titles,
    rows.map(([name, own]) => {
      return [name, ...countCells(own), `${(Math.floor(killRate(own) * 1_000) / 10).toFixed(1)} %`];
    }),
  );
}
