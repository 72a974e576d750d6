/** What both mutation runs count: the catalogue's and Stryker's. */
interface Counted {
  readonly fate: string;
}

/** Below this share of killed mutants a run fails. */
export const killRateMin = 0.9;

/** The share of killed mutants of those that a test can distinguish from the code; 1 where there are none. */
export function killRate(outcomes: readonly Counted[]): number {
  const distinguishable = outcomes.length - countOf(outcomes, 'equivalent');
  return distinguishable === 0 ? 1 : countOf(outcomes, 'killed') / distinguishable;
}

export function countOf<Outcome extends Counted>(outcomes: readonly Outcome[], fate: Outcome['fate']): number {
  return outcomes.filter((outcome) => outcome.fate === fate).length;
}

/** The cells of a table that count: all, then killed, survived and equivalent. */
export function countCells(outcomes: readonly Counted[]): string[] {
  const counts = ['killed', 'survived', 'equivalent'].map((fate) => countOf(outcomes, fate));
  return [outcomes.length, ...counts].map(String);
}
