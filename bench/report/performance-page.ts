import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import {
  isMet,
  type Figures,
  type Gate,
  type Invariant,
  type Circumstances,
  type Report,
  type Result,
  resultSchema,
} from './report.ts';

const startMark = '<!-- figures: written by npm run bench -->';
const endMark = '<!-- end of figures -->';

/**
 * The page with the results in the place of those it had. What people wrote around them stays.
 *
 * @throws Error when the page has lost its marks
 */
function pageWith(page: string, results: readonly Result[]): string {
  const [start, end] = [page.indexOf(startMark), page.indexOf(endMark)];
  if (start === -1 || end < start) throw new Error(`the page needs the lines ${startMark} and ${endMark}`);
  return [page.slice(0, start + startMark.length), figuresOf(results), page.slice(end)].join('\n\n');
}

function figuresOf(results: readonly Result[]): string {
  return ['## Gates', gateTable(results), ...results.map(section)].join('\n\n');
}

function gateTable(results: readonly Result[]): string {
  const rows = results.flatMap(({ name, report, failure }) => {
    if (report) return report.gates.map((gate) => [`\`${name}\``, ...gateCells(gate)]);
    return [[`\`${name}\``, `no figures: ${textOf(failure)}`, '–', '–', 'no']];
  });
  return table(['benchmark', 'what', 'measured', 'gate', 'met'], rows);
}

function gateCells(gate: Gate): string[] {
  const { what, value, unit, atLeast, atMost } = gate;
  const bound = atLeast === undefined ? `≤ ${atMost ?? ''}` : `≥ ${atLeast}`;
  return [what, `${decimal(value, 2)} ${unit}`, `${bound} ${unit}`, isMet(gate) ? 'yes' : '**no**'];
}

function section({ name, measures, circumstances, tookSeconds, report, failure }: Result): string {
  const head = [`## ${name}`, `${sentence(measures)} ${sentence(measuredHow(circumstances, tookSeconds))}`];
  return [...head, report ? reportText(report) : `It ended without figures: ${textOf(failure)}`].join('\n\n');
}

/** The figures of one benchmark in Markdown, for the page and for a terminal. */
export function reportText({ figures, costs = [], invariants, notes }: Report): string {
  const sums = costs.map(({ what, perAnswerUs }) => [
    what,
    decimal(sum(Object.values(perAnswerUs)), 0),
    dearest(perAnswerUs),
  ]);
  return [
    table(['', 'rate/s', 'p50 ms', 'p99 ms', 'ratio'], figures.map(figureCells)),
    ...(sums.length > 0 ? [table(['', 'CPU µs per answer', 'of which'], sums)] : []),
    invariantsOf(invariants),
    ...(notes.length > 0 ? [notes.map((note) => `- ${note}`).join('\n')] : []),
  ].join('\n\n');
}

/** The gates of one benchmark in Markdown. */
export function gatesText(gates: readonly Gate[]): string {
  return table(['gate', 'measured', 'bound', 'met'], gates.map(gateCells));
}

function measuredHow(
  { measuredAt, machine, software, seconds, rounds, connections }: Circumstances,
  took: number,
): string {
  const day = measuredAt.slice(0, 10);
  return `measured on ${day} in ${took} s on ${machine} (${software}), ${rounds} rounds of ${seconds} s, ${connections} connections`;
}

function figureCells({ what, ratePerSecond, p50Ms, p99Ms, ratio }: Figures): string[] {
  const comparison = ratio === undefined ? '–' : `${decimal(ratio, 2)} ×`;
  return [what, decimal(ratePerSecond, 0), decimal(p50Ms, 2), decimal(p99Ms, 2), comparison];
}

const dearestMax = 3;

function dearest(perAnswerUs: Readonly<Record<string, number>>): string {
  const descending = Object.entries(perAnswerUs).sort(([, one], [, other]) => other - one);
  return descending
    .slice(0, dearestMax)
    .map(([name, us]) => `${name} ${decimal(us, 0)}`)
    .join(', ');
}

function invariantsOf(invariants: readonly Invariant[]): string {
  const broken = invariants.filter(({ holds }) => !holds);
  if (broken.length === 0) return `All ${invariants.length} invariants held.`;
  return broken.map(({ what, found }) => `- **broken**: ${what} (${found})`).join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rule = head.map((_, index) => (index === 0 ? '---' : '--:'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

/** What a process complained of must not become markup. */
function textOf(failure: string | undefined): string {
  return `\`${(failure ?? 'unknown').replaceAll('`', "'")}\``;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function decimal(value: number, digits: number): string {
  return Number.isFinite(value) ? value.toFixed(digits) : '–';
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const resultsFile = `${root}docs/performance.json`;
const pageFile = `${root}docs/performance.md`;
const prettier = `${root}node_modules/.bin/prettier`;

/**
 * Puts a result in the place of the one its benchmark had, and writes the page anew. Called after each benchmark, so
 * that a run that is broken off keeps what it has measured.
 *
 * @param order names of all benchmarks, as the page lists them; others are dropped
 */
export async function keepResult(result: Result, order: readonly string[]): Promise<void> {
  const others = (await keptResults()).filter(({ name }) => name !== result.name);
  const results = [...others, result]
    .filter(({ name }) => order.includes(name))
    .sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
  await writeFile(resultsFile, JSON.stringify(results, undefined, 2));
  await writeFile(pageFile, pageWith(await readFile(pageFile, 'utf8'), results));
  await promisify(execFile)(process.execPath, [prettier, '--write', '--log-level', 'warn', resultsFile, pageFile]);
}

async function keptResults(): Promise<Result[]> {
  const json = await readFile(resultsFile, 'utf8').catch(() => '[]');
  return z.array(resultSchema).parse(JSON.parse(json));
}
