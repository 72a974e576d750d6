import { builtinModules } from 'node:module';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { importOrder } from './scripts/lint/import-order.js';
import { secretComparison } from './scripts/lint/secret-comparison.js';
import { checkedWorkspaces } from './scripts/lint/word-list.ts';
import { words } from './scripts/lint/words.js';

const tests = ['**/*.test.ts'];
const testCode = ['**/test/**/*.ts', '**/*.test.ts', 'test/**/*.ts'];
const businessCode = [
  'packages/{money,contracts,public-api,pix,providers}/src/**/*.ts',
  'services/*/src/**/*.ts',
  'apps/*/src/**/*.{ts,tsx}',
  'sdks/*/src/**/*.ts',
];

/** The environment is read once, where it is parsed; everything else is handed its configuration. */
const readersOfTheEnvironment = [
  '**/config.ts',
  '**/main.ts',
  'services/identity/src/{bootstrap,dev-login}.ts',
  'services/ledger/src/verify.ts',
  'services/ledger/src/month.ts',
  'services/reconciler/src/{rebuild,months}.ts',
  'packages/local-stack/**/*.ts',
  'packages/runtime/src/run/**/*.ts',
  'packages/test-kit/src/**/*.ts',
  'scripts/**',
  'bench/**/*.ts',
  '*.config.{js,ts}',
  ...testCode,
];

const comparisonsOfSecrets = [
  'packages/runtime/src/secrets/equal-digests.ts',
  'packages/providers/src/http/constant-time.ts',
];

const floatingPointMoney = [
  {
    selector: 'CallExpression[callee.property.name=/^(toFixed|parseFloat)$/], CallExpression[callee.name="parseFloat"]',
    message: 'No floats near money: amounts are integers in minor units, decimal text is converted digit by digit.',
  },
];

const skippedTests = [
  {
    selector: 'MemberExpression[property.name=/^(only|skip|todo|fails|skipIf|runIf)$/]',
    message: 'Every test runs, every time.',
  },
  {
    selector:
      'CallExpression[callee.name=/^(it|test|describe|suite)$/] > ObjectExpression > Property[key.name=/^(only|skip|todo|fails)$/]',
    message: 'Every test runs, every time.',
  },
  { selector: 'ObjectPattern > Property[key.name="skip"]', message: 'Every test runs, every time.' },
];

const sleepingTests = [
  {
    selector: 'AwaitExpression > CallExpression[callee.name=/^(setTimeout|sleep|delay)$/]',
    message: 'Tests never sleep: wait for what should happen with `eventually`.',
  },
  {
    selector: 'NewExpression[callee.name="Promise"] CallExpression[callee.name="setTimeout"]',
    message: 'Tests never sleep: wait for what should happen with `eventually`.',
  },
];

const bareBuiltins = {
  name: 'builtin',
  paths: builtinModules
    .filter((name) => !name.startsWith('node:'))
    .map((name) => ({ name, message: `Write 'node:${name}'.` })),
};
const environmentImport = {
  name: 'node:process',
  importNames: ['env'],
  message: 'Only config.ts reads the environment.',
};
const deepImport = {
  regex: '^@gateway/[a-z-]+/(?![a-z-]+$)',
  message: 'Import what the package exports, by its name.',
};
const relativeInSource = {
  // The styles of a component stand beside it.
  regex: '^[.]{1,2}/(?!.*\\bmigrations/|[a-z-]+[.]module[.]css$)',
  message: 'Within a package, source is imported as #src/….',
};
// The plugins are no workspaces, and have no names here.
const climbingOut = { regex: '^[.]{1,2}/(?!.*plugins/)(.*/)?src/', message: 'Import source by #src/… or its package.' };

const restrictedImports = ({ environment = true, patterns = [] }) => [
  'error',
  {
    paths: environment ? [...bareBuiltins.paths, environmentImport] : bareBuiltins.paths,
    patterns: [deepImport, ...patterns],
  },
];

const always = {
  eqeqeq: 'error',
  'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx', 'hack'], location: 'anywhere' }],
  'no-restricted-imports': restrictedImports({}),
  'no-restricted-properties': [
    'error',
    { object: 'process', property: 'env', message: 'Only config.ts reads the environment.' },
  ],
  'gateway/import-order': 'error',
  'object-shorthand': 'error',
  'no-useless-rename': 'error',
  'no-unneeded-ternary': 'error',
  'prefer-template': 'error',
};

const typeAware = {
  // What the strict set leaves out and a gateway cannot do without.
  '@typescript-eslint/switch-exhaustiveness-check': [
    'error',
    { considerDefaultExhaustiveForUnions: false, requireDefaultForNonUnion: true },
  ],
  '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
  '@typescript-eslint/consistent-type-exports': ['error', { fixMixedExportsWithInlineTypeSpecifier: true }],
  '@typescript-eslint/no-import-type-side-effects': 'error',
  '@typescript-eslint/prefer-readonly': 'error',
  // A shadowed `tx` or `em` writes into the wrong transaction, silently.
  '@typescript-eslint/no-shadow': 'error',

  // Where the strict set objects to plain code.
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
  '@typescript-eslint/no-confusing-void-expression': 'off',
  '@typescript-eslint/no-meaningless-void-operator': 'off',
  // An empty text is often as good as none: `process.env.HOST || loopback`.
  '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
  '@typescript-eslint/dot-notation': 'off',
  '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: 'only-allowed-literals' }],
  // Implementations of an asynchronous interface need not wait for anything.
  '@typescript-eslint/require-await': 'off',
  '@typescript-eslint/no-empty-function': 'off',
  // `() => Promise<boolean | void>` is how optional answers of callbacks are written.
  '@typescript-eslint/no-invalid-void-type': 'off',
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
  '@typescript-eslint/no-unnecessary-type-parameters': 'off',
};

const short = (lines) => ['error', { max: lines, skipBlankLines: true, skipComments: true }];

export default defineConfig(
  globalIgnores([
    ...['**/node_modules/', '.gateway/', 'coverage/', 'docs/', 'site/{dist,.astro}/', 'site/src/content.config.ts'],
    ...[
      'test/generators/{clients,generated}/',
      ...['test/sdk/project/', 'test/medusa/shop/', 'plugins/medusa/'],
      'apps/*/src/generated/',
      'sdks/*/src/generated/',
      'sdks/*/dist/',
    ],
  ]),
  {
    plugins: { gateway: { rules: { 'import-order': importOrder, 'secret-comparison': secretComparison, words } } },
    linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    rules: {
      ...always,
      'no-restricted-properties': 'off',
      'max-lines': short(250),
      'max-lines-per-function': short(70),
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
        // With CI=true the parser would read files once, from the disk, and the planted code of `lint.ts` has no types.
        disallowAutomaticSingleRunInference: true,
      },
    },
    rules: { ...always, ...typeAware, 'max-lines': short(250), 'max-lines-per-function': short(70) },
  },
  {
    // What runs in a browser has the types of one.
    files: ['apps/console/**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { project: ['apps/console/tsconfig.json'] } },
    rules: {
      // A handler of an event answers nothing; React ignores the promise of one.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    },
  },
  {
    files: ['{apps,packages,services}/*/src/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-imports': restrictedImports({ patterns: [relativeInSource] }),
      'no-console': 'error',
      'gateway/secret-comparison': 'error',
    },
  },
  {
    // Merchants' runtimes are Node, Deno, Bun and workers: what one of them alone has is looked for, and never imported.
    files: ['sdks/typescript/src/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^(?![.]{1,2}/)', message: 'An SDK has no dependency.' }] },
      ],
      'no-restricted-globals': ['error', 'process', 'Buffer', 'require', '__dirname', 'window', 'document'],
    },
  },
  {
    files: ['sdks/*/src/**/*.ts'],
    rules: { 'no-console': 'error', 'gateway/secret-comparison': 'error' },
  },
  {
    // What compares in constant time; the providers' package stands below the kit.
    files: [...comparisonsOfSecrets, '{apps,packages,services}/*/src/**/*.test.ts'],
    rules: { 'gateway/secret-comparison': 'off' },
  },
  {
    // Code that races a signal checks it again after each await; the compiler takes the second check for a repetition.
    files: [
      'packages/{runtime,persistence,messaging,provider-feeds,test-kit,local-stack}/**/*.ts',
      'services/ledger/src/writer/*.ts',
      ...testCode,
    ],
    rules: { '@typescript-eslint/no-unnecessary-condition': 'off' },
  },
  {
    files: checkedWorkspaces.map((workspace) => `${workspace}/**/*.{ts,tsx,js,mjs}`),
    // A migration that was released stays as it is, with its comments.
    ignores: ['**/migrations/*', '**/*-migrations.ts'],
    rules: { 'gateway/words': 'error' },
  },
  {
    files: businessCode,
    rules: { 'no-restricted-syntax': ['error', ...floatingPointMoney] },
  },
  {
    files: readersOfTheEnvironment,
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: testCode,
    rules: {
      'max-lines': short(300),
      'max-lines-per-function': 'off',
      'no-restricted-imports': restrictedImports({ environment: false, patterns: [climbingOut] }),
      // A test that trips over an index or a fake is a failing test, which is what it is for.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    // One file that can be copied and read alone.
    files: ['examples/verify-receipt/*.ts'],
    rules: { 'max-lines': short(300) },
  },
  {
    // One table of each workspace, whatever its length.
    files: ['test/mutants/catalogue/*.ts'],
    rules: { 'max-lines': 'off' },
  },
  {
    // The whole system is looked at from outside, where answers are JSON of no known type.
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: tests,
    rules: { 'no-restricted-syntax': ['error', ...skippedTests, ...sleepingTests] },
  },
);
