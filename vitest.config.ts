import { join, relative } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longFiles } from './test/long-files.ts';

/**
 * Which tests need no server: those beside their source, those in a workspace's `test/unit`, and all of the packages that
 * have nothing to do with PostgreSQL and NATS. Every other test is an integration test.
 */
const unitTests = [
  '{apps,sdks,packages,services}/*/src/**/*.test.ts',
  '{sdks,packages,services}/*/test/unit/**/*.test.ts',
  'test/unit/**/*.test.ts',
  'packages/{contracts,money,pix,proof,providers,public-api}/test/**/*.test.ts',
  'bench/**/*.test.ts',
];
const allTests = ['{sdks,packages,services}/*/{src,test}/**/*.test.ts', 'test/**/*.test.ts'];

/** Integration tests of which Vite loads the modules. */
const loadedByVite = [
  // It puts something else in the place of a module.
  'services/ledger/test/bad-input.test.ts',
  // A client that it generates imports its modules without their extensions.
  'test/generators/generators.test.ts',
];

/**
 * Workspaces whose integration tests are many short files: loading the modules of one takes longer than running it. Others
 * have files that look at their process: at its memory, at how fast it answers, or at what a process leaves that ends.
 */
const workspacesOfShortFiles = [
  ...['compat', 'identity', 'payouts', 'reconciler'].map((name) => `services/${name}`),
  ...['messaging', 'persistence', 'provider-feeds'].map((name) => `packages/${name}`),
];

const integrationSettings = {
  globalSetup: ['test/global-setup.ts'],
  // Far longer than any test takes: no test depends on the machine's speed, and one that hangs ends.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // Without this a polled expectation gives up after a second.
  expect: { poll: { timeout: 120_000 } },
};

/** As services do it: Node strips the types itself, and finds what it made of a module for an earlier worker. */
const loadedByNode = {
  experimental: { viteModuleRunner: false },
  execArgv: ['--conditions=gateway-source'],
};

/** The files of a worker share its modules, but not what was counted: the metrics of each begin at zero. */
const integrationOf = (workspace: string) => ({
  test: {
    ...{ name: workspace, ...integrationSettings, ...loadedByNode },
    // Without the hook that `vi.mock` needs, which looks at every module.
    experimental: { ...loadedByNode.experimental, nodeLoader: false },
    include: [`${workspace}/{src,test}/**/*.test.ts`],
    exclude: [...configDefaults.exclude, ...unitTests, ...loadedByVite],
    isolate: false,
    setupFiles: ['test/shared-process.ts'],
  },
});

/** The longest file first, so that the run does not end with one worker waiting for it; last those that take no time. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const secondsOf = ({ moduleId, project }: TestSpecification) =>
      longFiles[relative(import.meta.dirname, moduleId)] ?? (project.name === 'unit' ? -1 : 0);
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => secondsOf(b) - secondsOf(a));
  }
}

/** The SDK of this repository by its source, where other workspaces import it; merchants have it built. */
const sourceOfTheSdk = { ssr: { resolve: { conditions: ['gateway-source', 'module', 'node'] } } };

export default defineConfig({
  test: {
    pool: 'forks',
    // One more than the two cores of the smallest machine in use: tests wait for deadlines and restarts half of their time.
    maxWorkers: 3,
    teardownTimeout: 30_000,
    // Every worker, and every program that a test starts with our Node, loads the same modules: they are compiled once.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, '.gateway/tools/compile-cache') },
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        ...sourceOfTheSdk,
        test: {
          name: 'unit',
          include: unitTests,
          // The files of a worker share their modules: loading them takes longer than running the tests.
          isolate: false,
          execArgv: ['--import', join(import.meta.dirname, 'test/unit/no-servers.ts')],
          env: { TEST_DATABASE_URL: '', TEST_NATS_URL: '' },
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: allTests,
          exclude: [
            ...[...configDefaults.exclude, ...unitTests, ...loadedByVite],
            ...workspacesOfShortFiles.map((workspace) => `${workspace}/**`),
          ],
          ...integrationSettings,
          ...loadedByNode,
        },
      },
      ...workspacesOfShortFiles.map(integrationOf),
      {
        ...sourceOfTheSdk,
        test: { name: 'loaded by Vite', include: loadedByVite, ...integrationSettings },
      },
    ],
  },
});
