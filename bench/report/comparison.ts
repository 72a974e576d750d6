import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Gate, type Report, type Result, isMet, resultSchema } from './report.ts';

/** By this part a figure may be worse than before without counting: two runs of the same commit differ by less. */
const toleranceShare = 0.1;

/** One figure of a benchmark in two runs. */
export interface Change {
  readonly what: string;
  readonly unit: string;
  readonly before: number;
  readonly now: number;
  /** Worse by more than two runs of one commit differ, or a gate that was met and is not. */
  readonly isWorse: boolean;
}

/**
 * The figures that two runs can be compared by: ratios to a baseline, processor time per answer and what gates bound.
 * Rates and times without a baseline beside them say more about the machine and its day than about the product.
 */
export function changesOf(before: Report, now: Report): Change[] {
  return [...ratioChanges(before, now), ...costChanges(before, now), ...gateChanges(before, now)];
}

function ratioChanges(before: Report, now: Report): Change[] {
  return now.figures.flatMap(({ what, ratio }) => {
    const earlier = before.figures.find((each) => each.what === what)?.ratio;
    if (ratio === undefined || earlier === undefined) return [];
    const isWorse = !(ratio >= earlier * (1 - toleranceShare));
    return [{ what: `${what}, over its baseline`, unit: '×', before: earlier, now: ratio, isWorse }];
  });
}

function costChanges(before: Report, now: Report): Change[] {
  return (now.costs ?? []).flatMap(({ what, perAnswerUs }) => {
    const earlier = before.costs?.find((each) => each.what === what);
    if (!earlier) return [];
    const [then, spent] = [productUs(earlier.perAnswerUs), productUs(perAnswerUs)];
    const isWorse = !(spent <= then * (1 + toleranceShare));
    return [{ what: `${what}, processor time per answer`, unit: 'µs', before: then, now: spent, isWorse }];
  });
}

/** What is not the product's own: the programs that load it, receive from it, or stand beside it. */
const notTheProducts: ReadonlySet<string> = new Set(['bench', 'load generator', 'receivers', 'psp-simulator']);

function productUs(perAnswerUs: Readonly<Record<string, number>>): number {
  return Object.entries(perAnswerUs)
    .filter(([name]) => !notTheProducts.has(name))
    .reduce((sum, [, us]) => sum + us, 0);
}

function gateChanges(before: Report, now: Report): Change[] {
  return now.gates.flatMap((gate) => {
    const earlier = before.gates.find(({ what }) => what === gate.what);
    if (!earlier) return [];
    const { what, unit, value } = gate;
    const isWorse = (isMet({ ...gate, value: earlier.value }) && !isMet(gate)) || isFurtherOff(gate, earlier.value);
    return [{ what: `gate: ${what}`, unit, before: earlier.value, now: value, isWorse }];
  });
}

/** A gate that is missed anyhow, by more than before. */
function isFurtherOff(gate: Gate, before: number): boolean {
  if (isMet(gate)) return false;
  return gate.atLeast === undefined
    ? !(gate.value <= before * (1 + toleranceShare))
    : !(gate.value >= before * (1 - toleranceShare));
}

/** What became of one benchmark since an earlier run, as a table in Markdown, with what makes the runs hard to compare. */
export function comparisonText(before: Result, now: Result): string {
  if (!before.report || !now.report) return `${now.name}: one of the two runs has no figures`;
  const rows = changesOf(before.report, now.report).map(
    ({ what, unit, before: then, now: found, isWorse }) =>
      `| ${what} | ${figure(then)} ${unit} | ${figure(found)} ${unit} | ${figure(found / then)} | ${isWorse ? '**worse**' : ''} |`,
  );
  const head = ['| | before | now | now / before | |', '| --- | --: | --: | --: | --- |'];
  return [...caveatsOf(before, now), ...head, ...rows].join('\n');
}

function caveatsOf({ circumstances: then }: Result, { circumstances: now }: Result): string[] {
  const differs = (['machine', 'software', 'seconds', 'connections', 'quick'] as const).filter(
    (each) => then[each] !== now[each],
  );
  return differs.map((each) => `- other ${each} than before: ${String(then[each])}, now ${String(now[each])}`);
}

function figure(value: number): string {
  return Number.isFinite(value) ? value.toFixed(2) : '–';
}

/**
 * The results that an earlier run wrote: `docs/performance.json` of any commit.
 *
 * @throws Error when the file is missing or holds no results
 */
export function readResults(file: string): readonly Result[] {
  return z.array(resultSchema).parse(JSON.parse(readFileSync(file, 'utf8')));
}
