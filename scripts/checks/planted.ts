import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repositoryRoot, workspaces } from './repository.ts';

/** Imports that break a rule of .dependency-cruiser.mjs each: the rule, a file, and what is in it. */
export const plantedImports: readonly (readonly [rule: string, file: string, code: string])[] = [
  ['services-imports', 'services/ledger/src/peer.ts', "import type { Payout } from '../../payouts/src/main.ts';"],
  ['contracts-imports', 'packages/contracts/src/up.ts', "import type { Run } from '@gateway/runtime';"],
  ['apps-imports', 'apps/console/src/records/up.ts', "import { run } from '@gateway/runtime';"],
  ['sdks-imports', 'sdks/typescript/src/core/up.ts', "import { run } from '@gateway/runtime';"],
  ['tests-import-packages', 'services/deposits/test/all.ts', "import { start } from '@gateway/local-stack';"],
  ['every-package-has-its-place', 'packages/unplaced/src/index.ts', "import { run } from '@gateway/runtime';"],
  ['services-are-processes', 'test/inside.test.ts', "import type { Payout } from '../services/payouts/src/main.ts';"],
  ['no-deep-imports', 'services/deposits/src/deep.ts', "import { run } from '../../../packages/runtime/src/run.ts';"],
  [
    'no-relative-imports-of-packages',
    'services/deposits/src/relative.ts',
    "import { run } from '../../../packages/runtime/src/index.ts';",
  ],
  ['no-cycles', 'services/ledger/src/ring/there.ts', "import type { Back } from '#src/ring/back.ts';"],
  ['source-imports-no-tests', 'services/ledger/src/tested.ts', "import { sample } from '../test/sample.ts';"],
  ['everything-resolves', 'services/ledger/src/lost.ts', "import { nothing } from '#src/nothing.ts';"],
  ['floors', 'services/webhooks/src/lower/up.ts', "import type { There } from '#src/upper/there.ts';"],
  ['floors', 'services/webhooks/src/beside/across.ts', "import type { There } from '#src/upper/there.ts';"],
];

/** Imports that keep every rule, in a file each: one that is reported is a rule that forbids too much. */
export const permittedImports: readonly (readonly [file: string, code: string])[] = [
  ['services/payouts/src/permitted.ts', "import type { Run } from '@gateway/runtime';"],
  ['services/payouts/test/permitted.ts', "import { payout } from '#src/payout.ts';"],
  ['services/deposits/test/permitted.ts', "import { fake } from '@gateway/test-kit';"],
  ['services/webhooks/src/upper/permitted.ts', "import type { Below } from '#src/lower/below.ts';"],
  ['services/webhooks/src/permitted.ts', "import type { There } from '#src/upper/there.ts';"],
  ['packages/messaging/src/permitted.ts', "import { run } from '@gateway/runtime';"],
  ['apps/console/src/permitted.test.ts', "import type { Run } from '@gateway/runtime';"],
  ['sdks/typescript/test/permitted.ts', "import { fake } from '@gateway/test-kit';"],
  ['test/permitted.test.ts', "import { start } from '@gateway/local-stack';"],
  ['bench/permitted.ts', "import { run } from '@gateway/runtime';"],
  ['scripts/generated/permitted.ts', "import type { Payout } from '../../services/payouts/src/main.ts';"],
];

/** What knip has to find in the planted repository, beside files that nothing imports. */
export const plantedDeadCode = [
  'file services/ledger/src/peer.ts in services/ledger/src/peer.ts',
  'export unused in services/payouts/src/payout.ts',
  'dependency zod in services/payouts/package.json',
  'unlisted unlisted-package in services/payouts/src/main.ts',
];

/** A workspace of two folders without a floors.json. */
export const plantedWithoutFloors = 'services/compat';

const existingFiles: Readonly<Record<string, string>> = {
  'packages/runtime/src/index.ts': "export * from '#src/run.ts';\n",
  'packages/runtime/src/run.ts': 'export type Run = number;\nexport const run = 1;\n',
  'packages/local-stack/src/index.ts': 'export const start = 1;\n',
  'services/payouts/src/main.ts':
    "import 'unlisted-package';\nimport { payout } from '#src/payout.ts';\nexport type Payout = typeof payout;\n",
  'services/payouts/src/payout.ts': 'export const payout = 1;\nexport const unused = 2;\n',
  'services/ledger/src/ring/back.ts': "import type { There } from '#src/ring/there.ts';\nexport type Back = There;\n",
  'scripts/check.ts': 'export const check = 1;\n',
  'services/ledger/test/sample.ts': 'export const sample = 1;\n',
  [`${plantedWithoutFloors}/src/one/first.ts`]: 'export const first = 1;\n',
  [`${plantedWithoutFloors}/src/two/second.ts`]: 'export const second = 1;\n',
  'services/webhooks/floors.json': '[["upper", "beside"], ["lower"]]',
  'services/webhooks/src/upper/there.ts': 'export type There = 1;\n',
  'services/webhooks/src/lower/below.ts': 'export type Below = 1;\n',
  'packages/test-kit/src/index.ts': 'export const fake = 1;\n',
};

/** A throw-away repository with our workspaces and their package.json, and only the planted files in them. */
export async function plantRepository(): Promise<{ readonly root: string } & AsyncDisposable> {
  const root = await mkdtemp(join(tmpdir(), 'gateway-planted-'));
  await mkdir(join(root, 'node_modules', '@gateway'), { recursive: true });
  for (const { folder, manifest } of await workspaces()) {
    await mkdir(join(root, folder), { recursive: true });
    await copyFile(join(repositoryRoot, folder, 'package.json'), join(root, folder, 'package.json'));
    if (folder !== '.') await symlink(join(root, folder), join(root, 'node_modules', manifest.name));
  }
  for (const file of ['tsconfig.json', 'tsconfig.base.json', 'knip.json'])
    await copyFile(join(repositoryRoot, file), join(root, file));
  const files = [...plantedImports.map(([, file, code]) => [file, code] as const), ...permittedImports];
  const imports = files.map(([file, code]) => [file, `${code}\nexport type There = Back;\n`] as const);
  for (const [file, content] of [...Object.entries(existingFiles), ...imports]) {
    await mkdir(join(root, dirname(file)), { recursive: true });
    await writeFile(join(root, file), content);
  }
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}
