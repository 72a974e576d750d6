import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A small fault put into the code on purpose, and the test that has to notice it. Paths are those of the repository. */
export interface Mutant {
  readonly id: string;
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly replaced: string;
  readonly by: string;
  readonly test: string;
  /** A part of the test's name as the test file spells it. */
  readonly named: string;
  /** What merchants and operators rely on, and the fault breaks. */
  readonly guarantee: string;
  /** Why the code with the fault does the same, so that no test can fail. Such a mutant is listed and never run. */
  readonly equivalent?: string;
}

/** The file with the fault in it. @throws Error when the entry no longer fits the file. */
export function mutated(text: string, { id, file, replaced, by }: Mutant): string {
  const [before, after, ...more] = text.split(replaced);
  if (before === undefined || after === undefined) throw new Error(`${id}: ${file} has no "${replaced}" any more`);
  if (more.length > 0) throw new Error(`${id}: ${file} has "${replaced}" ${more.length + 1} times`);
  if (replaced === by) throw new Error(`${id} changes nothing`);
  return `${before}${by}${after}`;
}

/** What no longer fits: the text of the file, the test file, or the name of the test in it. */
export function staleEntries(mutants: readonly Mutant[], repository: string): string[] {
  return mutants.flatMap((mutant) => {
    const { id, file, test, named } = mutant;
    const [source, tests] = [file, test].map((path) => join(repository, path)) as [string, string];
    const missing = [source, tests].find((path) => !existsSync(path));
    if (missing !== undefined) return [`${id}: ${missing} does not exist`];
    if (named === '' || !readFileSync(tests, 'utf8').includes(named))
      return [`${id}: ${test} has no test named "${named}"`];
    try {
      mutated(readFileSync(source, 'utf8'), mutant);
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  });
}
