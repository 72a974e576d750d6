import { readFileSync } from 'node:fs';
import type { Stryker } from '@stryker-mutator/core';
import type { AreaName } from './areas.ts';
import type { EquivalentMutant } from './equivalent.ts';

type StrykerResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

/** What became of one fault in the pure core. */
export interface Outcome {
  readonly area: AreaName;
  readonly file: string;
  /** Where the fault begins: line and column, from 1. */
  readonly position: string;
  /** That line without its indentation. */
  readonly line: string;
  readonly original: string;
  readonly replacement: string;
  readonly fate: 'killed' | 'survived' | 'equivalent';
}

/** A fault that keeps the code from loading has no fate: every test falls, and that says nothing about one of them. */
const fates: Readonly<Partial<Record<StrykerResult['status'], 'killed' | 'survived'>>> = {
  Killed: 'killed',
  Timeout: 'killed',
  Survived: 'survived',
  NoCoverage: 'survived',
};

export function outcomesOf(area: AreaName, results: readonly StrykerResult[], equivalent: readonly EquivalentMutant[]) {
  return results.flatMap((result): Outcome[] => {
    const fate = fates[result.status];
    if (fate === undefined) return [];
    const { start, end } = result.location;
    const lines = readFileSync(result.fileName, 'utf8').split('\n');
    const outcome: Outcome = {
      area,
      file: result.fileName,
      position: `${start.line}:${start.column}`,
      line: (lines[start.line - 1] ?? '').trim(),
      original: textBetween(lines, start, end),
      replacement: result.replacement ?? '',
      fate,
    };
    const isEquivalent = fate === 'survived' && equivalent.some((entry) => names(entry, outcome));
    return [isEquivalent ? { ...outcome, fate: 'equivalent' } : outcome];
  });
}

/** Entries of the list for these files that name no fault that the tests let pass: it is gone, or it is noticed now. */
export function staleEntries(
  equivalent: readonly EquivalentMutant[],
  outcomes: readonly Outcome[],
): EquivalentMutant[] {
  const files = new Set(outcomes.map(({ file }) => file));
  return equivalent.filter(
    (entry) =>
      files.has(entry.file) && !outcomes.some((outcome) => outcome.fate === 'equivalent' && names(entry, outcome)),
  );
}

function names(entry: EquivalentMutant, outcome: Outcome): boolean {
  return (['file', 'line', 'original', 'replacement'] as const).every((member) => entry[member] === outcome[member]);
}

/** Counted from 1. */
interface Place {
  readonly line: number;
  readonly column: number;
}

function textBetween(lines: readonly string[], start: Place, end: Place): string {
  const text = lines.slice(start.line - 1, end.line);
  text.push((text.pop() ?? '').slice(0, end.column - 1));
  text.unshift((text.shift() ?? '').slice(start.column - 1));
  return text.join('\n');
}
