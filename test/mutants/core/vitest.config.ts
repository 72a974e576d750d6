import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { areaOf, areaVariable, randomTestsVariable, type AreaName } from './areas.ts';

const { tests, randomTests = [] } = areaOf(process.env[areaVariable] as AreaName);

/** The tests of one area, as Stryker runs them in its copy of the repository. */
export default defineConfig({
  test: {
    include: [...tests, ...(process.env[randomTestsVariable] ? randomTests : [])],
    setupFiles: [join(import.meta.dirname, 'end-on-failure.ts')],
    env: { TEST_DATABASE_URL: '', TEST_NATS_URL: '' },
    testTimeout: 30_000,
  },
});
