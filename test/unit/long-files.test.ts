import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { longFiles } from '../long-files.ts';

const repository = join(import.meta.dirname, '../..');

test('every file that the run begins with is there', () => {
  expect(Object.keys(longFiles).filter((file) => !existsSync(join(repository, file)))).toEqual([]);
});
