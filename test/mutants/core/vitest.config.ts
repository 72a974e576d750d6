import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { areas, areaVariable, type AreaName } from './areas.ts';

/** The tests of one area, as Stryker runs them in its copy of the repository. */
export default defineConfig({
  test: {
    include: [...areas[process.env[areaVariable] as AreaName].tests],
    setupFiles: [join(import.meta.dirname, 'end-on-failure.ts')],
    env: { TEST_DATABASE_URL: '', TEST_NATS_URL: '' },
    testTimeout: 30_000,
  },
});
