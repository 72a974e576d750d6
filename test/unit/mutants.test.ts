import { join } from 'node:path';
import { expect, test } from 'vitest';
import { catalogue } from '../mutants/catalogue/catalogue.ts';
import { mutated, staleEntries, type Mutant } from '../mutants/mutant.ts';

const repository = join(import.meta.dirname, '../..');
const mutants = Object.values(catalogue).flat();

test('every mutant of the catalogue still fits the code, and the test that has to fall exists', () => {
  expect(staleEntries(mutants, repository)).toEqual([]);
});

test('every mutant of the catalogue has an id of its own', () => {
  const ids = mutants.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([]);
});

test('a mutant whose text is gone, is there twice or stays as it is does not count as one', () => {
  const mutant: Mutant = { ...mutants[0]!, replaced: 'a < b', by: 'a <= b' };
  expect(mutated('if (a < b) return;', mutant)).toBe('if (a <= b) return;');
  expect(() => mutated('if (a > b) return;', mutant)).toThrow('any more');
  expect(() => mutated('a < b || a < b', mutant)).toThrow('2 times');
  expect(() => mutated('a < b', { ...mutant, by: 'a < b' })).toThrow('changes nothing');
});
