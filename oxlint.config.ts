import { builtinModules } from 'node:module';
import { defineConfig, type AllowWarnDeny, type DummyRule, type DummyRuleMap } from 'oxlint';
import { rulesOfTypeScript } from './scripts/lint/rules-of-typescript.ts';
import { checkedWorkspaces } from './scripts/lint/word-list.ts';

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

const bareBuiltins = builtinModules
  .filter((name) => !name.startsWith('node:'))
  .map((name) => ({ name, message: `Write 'node:${name}'.` }));
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

const restrictedImports = ({ environment = true, patterns = [] as object[] }): DummyRule => [
  'error',
  {
    paths: environment ? [...bareBuiltins, environmentImport] : bareBuiltins,
    patterns: [deepImport, ...patterns],
  },
];

const short = (lines: number): ['error', { max: number; skipBlankLines: true; skipComments: true }] => [
  'error',
  { max: lines, skipBlankLines: true, skipComments: true },
];

/** Of JavaScript and TypeScript. */
const always: DummyRuleMap = {
  eqeqeq: 'error',
  'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx', 'hack'], location: 'anywhere' }],
  'eslint-js/no-restricted-imports': restrictedImports({}),
  'gateway/import-order': 'error',
  'object-shorthand': 'error',
  'no-useless-rename': 'error',
  'no-unneeded-ternary': 'error',
  'prefer-template': 'error',
  'max-lines': short(250),
  'max-lines-per-function': short(70),
};

const ofTypeScript: DummyRuleMap = {
  ...Object.fromEntries(rulesOfTypeScript.map((name): [string, AllowWarnDeny] => [name, 'error'])),
  'no-restricted-properties': [
    'error',
    { object: 'process', property: 'env', message: 'Only config.ts reads the environment.' },
  ],
  'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
  'typescript/return-await': ['error', 'error-handling-correctness-only'],
  'typescript/restrict-plus-operands': [
    'error',
    { allowAny: false, allowBoolean: false, allowNullish: false, allowNumberAndString: false, allowRegExp: false },
  ],
  'typescript/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
  // An empty text is often as good as none: `process.env.HOST || loopback`.
  'typescript/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
  'typescript/no-unnecessary-condition': ['error', { allowConstantLoopConditions: 'only-allowed-literals' }],
  'no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],

  // What the strict set leaves out and a gateway cannot do without.
  'typescript/switch-exhaustiveness-check': [
    'error',
    { considerDefaultExhaustiveForUnions: false, requireDefaultForNonUnion: true },
  ],
  'typescript/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
  'typescript/consistent-type-exports': ['error', { fixMixedExportsWithInlineTypeSpecifier: true }],
  'typescript/no-import-type-side-effects': 'error',
  'typescript/prefer-readonly': 'error',
  // A shadowed `tx` or `em` writes into the wrong transaction, silently.
  'no-shadow': 'error',
};

export default defineConfig({
  plugins: ['typescript'],
  jsPlugins: ['./scripts/lint/plugin.js', { name: 'eslint-js', specifier: 'oxlint-plugin-eslint' }],
  categories: { correctness: 'off' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: [
    ...['**/node_modules/', '.gateway/', 'coverage/', 'docs/', 'site/{dist,.astro}/', 'site/src/content.config.ts'],
    ...[
      'test/generators/{clients,generated}/',
      ...['test/sdk/project/', 'test/medusa/shop/', 'plugins/medusa/'],
      'apps/*/src/generated/',
      'sdks/*/src/generated/',
      'sdks/*/dist/',
    ],
  ],
  rules: always,
  overrides: [
    { files: ['**/*.{ts,tsx}'], rules: ofTypeScript },
    {
      // What runs in a browser.
      files: ['apps/console/**/*.{ts,tsx}'],
      rules: {
        // A handler of an event answers nothing; React ignores the promise of one.
        'typescript/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      },
    },
    {
      files: ['{apps,packages,services}/*/src/**/*.{ts,tsx}'],
      rules: {
        'eslint-js/no-restricted-imports': restrictedImports({ patterns: [relativeInSource] }),
        'no-console': 'error',
        'gateway/secret-comparison': 'error',
      },
    },
    {
      // Merchants' runtimes are Node, Deno, Bun and workers: what one of them alone has is looked for, and never imported.
      files: ['sdks/typescript/src/**/*.ts'],
      rules: {
        'eslint-js/no-restricted-imports': [
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
      rules: { 'typescript/no-unnecessary-condition': 'off' },
    },
    {
      files: checkedWorkspaces.map((workspace) => `${workspace}/**/*.{ts,tsx,js,mjs}`),
      // A migration that was released stays as it is, with its comments.
      excludeFiles: ['**/migrations/*', '**/*-migrations.ts'],
      rules: { 'gateway/words': 'error' },
    },
    {
      files: businessCode,
      rules: { 'eslint-js/no-restricted-syntax': ['error', ...floatingPointMoney] },
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
        'eslint-js/no-restricted-imports': restrictedImports({ environment: false, patterns: [climbingOut] }),
        // A test that trips over an index or a fake is a failing test, which is what it is for.
        'typescript/no-non-null-assertion': 'off',
        'typescript/unbound-method': 'off',
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
        'typescript/no-explicit-any': 'off',
        'typescript/no-unsafe-argument': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-call': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-return': 'off',
      },
    },
    {
      files: tests,
      rules: { 'eslint-js/no-restricted-syntax': ['error', ...skippedTests, ...sleepingTests] },
    },
  ],
});
