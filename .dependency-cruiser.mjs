import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Which workspace may import which, from the ground up: money and proof; pix; contracts; public-api, providers and runtime;
 * statement-files and persistence; messaging; provider-feeds; services. What runs in a browser (apps) and
 * what merchants install (sdks) imports none of them: it knows the gateway by its API description. Everything that is not listed is forbidden;
 * `scripts/checks/boundaries.ts` plants violations to prove that this looks.
 */
const mayImport = {
  'packages/money': [],
  'packages/pix': ['packages/money'],
  'packages/proof': [],
  'packages/contracts': ['packages/money', 'packages/pix'],
  'packages/public-api': ['packages/money', 'packages/pix', 'packages/contracts'],
  'packages/providers': ['packages/money', 'packages/pix', 'packages/contracts'],
  'packages/statement-files': ['packages/(?:money|pix|contracts|public-api)'],
  'packages/runtime': ['packages/money', 'packages/contracts'],
  'packages/persistence': ['packages/money', 'packages/contracts', 'packages/runtime'],
  'packages/messaging': ['packages/money', 'packages/contracts', 'packages/runtime', 'packages/persistence'],
  'packages/provider-feeds': ['packages/(?:money|contracts|runtime|persistence|messaging)'],
  'packages/test-kit': ['packages/(?:money|contracts|runtime|persistence|messaging)'],
  'packages/local-stack': ['packages/(?:money|contracts|runtime|persistence|messaging|test-kit)'],
  'services/[^/]+': ['packages/(?!local-stack|test-kit)[^/]+'],
  'apps/[^/]+': [],
  // What stands beside the SDK is made of it, as merchants have it themselves.
  'sdks/[^/]+': ['sdks/typescript'],
  test: ['packages/[^/]+'],
  bench: ['packages/[^/]+'],
};

/** A file of one of our workspaces, or its name where the import did not resolve. */
const anyWorkspace = '^(?:(?:apps|sdks|packages|services)/[^/]+|test|bench|scripts)/|^@gateway/';

/** The tests of an app, package or service, which may use any package but the whole product. */
const testCode = '^(?:apps|sdks|packages|services)/[^/]+/(?:test/|.*[.]test[.]ts$)';

const directions = Object.entries(mayImport).map(([workspace, allowed]) => ({
  name: `${workspace.replace('/[^/]+', '').replace('packages/', '')}-imports`,
  comment: `${workspace} imports ${allowed.length > 0 ? `only ${allowed.join(', ')}` : 'no other workspace'}.`,
  severity: 'error',
  from: { path: `^(${workspace})/`, pathNot: testCode },
  to: { path: anyWorkspace, pathNot: [`^$1/`, ...allowed.map((other) => `^${other}/`)] },
}));

/** A folder below src/, or a file that stands there by itself. */
const room = (workspace, name) => `^${workspace}/src/${name.replaceAll('.', '[.]')}(?:/|$)`;

/**
 * The floors of each workspace that declares them in its floors.json, the highest first: a folder imports itself and the
 * floors below its own. What is not listed there stands on top: files such as service.ts and main.ts.
 */
const floors = globSync('{apps,sdks,packages,services}/*/floors.json').flatMap((file) => {
  const workspace = dirname(file);
  const storeys = JSON.parse(readFileSync(file, 'utf8'));
  return storeys.flatMap((names, index) =>
    names.map((name) => ({
      name: 'floors',
      comment: `${workspace}/src/${name} imports only what stands below it in ${file}.`,
      severity: 'error',
      from: { path: room(workspace, name) },
      to: {
        path: `^${workspace}/src/`,
        pathNot: [name, ...storeys.slice(index + 1).flat()].map((allowed) => room(workspace, allowed)),
      },
    })),
  );
});

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...directions,
    ...floors,
    {
      name: 'tests-import-packages',
      comment: 'The tests of a workspace use any package but the one that starts the whole product.',
      severity: 'error',
      from: { path: '^((?:apps|sdks|packages|services)/[^/]+)/(?:test/|.*[.]test[.]ts$)' },
      to: { path: anyWorkspace, pathNot: ['^$1/', '^packages/(?!local-stack)[^/]+/', '^sdks/typescript/'] },
    },
    {
      name: 'every-package-has-its-place',
      comment: 'A new package imports no other workspace before it is listed above.',
      severity: 'error',
      from: { path: '^(packages/[^/]+)/', pathNot: Object.keys(mayImport).map((workspace) => `^${workspace}/`) },
      to: { path: anyWorkspace, pathNot: '^$1/' },
    },
    {
      name: 'services-are-processes',
      comment: 'Nothing imports a service; only the generators of docs/generated read its tables.',
      severity: 'error',
      from: { pathNot: '^(?:services|scripts/generated)/' },
      to: { path: '^services/' },
    },
    {
      name: 'no-deep-imports',
      comment: 'Another package is imported by what its package.json exports.',
      severity: 'error',
      from: { path: '^(?:(apps|sdks|packages|services)/([^/]+)|test|bench|scripts)/' },
      to: {
        path: '^packages/',
        pathNot: ['^$1/$2/', '^packages/[^/]+/src/index[.]ts$', '^packages/[^/]+/src/[^/]+/index[.]ts$'],
      },
    },
    {
      name: 'no-relative-imports-of-packages',
      comment: 'Another workspace is imported by its name, so that its package.json says who depends on whom.',
      severity: 'error',
      from: { path: '^(?:(apps|sdks|packages|services)/([^/]+)|test|bench)/' },
      to: { path: '^packages/', pathNot: '^$1/$2/', dependencyTypes: ['local'] },
    },
    {
      name: 'no-cycles',
      comment: 'Files that import each other, types included, cannot be read one after the other.',
      severity: 'error',
      // The generator of the console's client makes some.
      from: { pathNot: '^apps/[^/]+/src/generated/' },
      to: { circular: true },
    },
    {
      name: 'source-imports-no-tests',
      comment: 'Code that runs in production does not depend on tests.',
      severity: 'error',
      from: { path: '^(?:apps|sdks|packages|services)/[^/]+/src/', pathNot: '[.]test[.]ts$' },
      to: { path: '[.]test[.]ts$|^(?:apps|sdks|packages|services)/[^/]+/test/' },
    },
    {
      name: 'everything-resolves',
      comment: 'An import that cannot be found is an import that cannot be judged.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Clients of the API are made by the generators' test, and compiled by it.
    exclude: {
      path: '(?:^|/)node_modules/(?!@gateway/)|^test/(?:generators/(?:clients|generated)|sdk/project|medusa/shop)/|^sdks/[^/]+/dist/',
    },
    parser: 'tsc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['gateway-source', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  },
};
