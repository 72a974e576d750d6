const steps = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10] as const;

/** The top of a scale from zero: the first round number that no value is above; 1 where nothing is above zero. */
export function topOf(values: readonly (number | null)[]): number {
  const largest = Math.max(0, ...values.map((value) => value ?? 0));
  if (largest === 0) return 1;
  const magnitude = 10 ** Math.floor(Math.log10(largest));
  const step = steps.find((each) => each * magnitude >= largest) ?? 10;
  return Math.round(step * magnitude * 100) / 100;
}

/** The runs of points that have a value, each with where it begins: a line breaks where nothing is known. */
export function runsOf(values: readonly (number | null)[]): readonly { readonly at: number; readonly run: number[] }[] {
  const runs: { at: number; run: number[] }[] = [];
  let isOpen = false;
  for (const [at, value] of values.entries()) {
    if (value !== null && !isOpen) runs.push({ at, run: [] });
    if (value !== null) runs.at(-1)?.run.push(value);
    isOpen = value !== null;
  }
  return runs;
}
