import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from './repository.ts';
import { runNode } from './run-node.ts';
import { buildSampleRepository } from './sample-repository.ts';

const knip = 'node_modules/.bin/knip';
const quietly = ['--no-progress', '--no-config-hints'];

/** What knip reports of one file. */
interface Issues {
  readonly file: string;
  readonly files: readonly { name: string }[];
  readonly exports: readonly { name: string }[];
  readonly types: readonly { name: string }[];
  readonly dependencies: readonly { name: string }[];
  readonly unlisted: readonly { name: string }[];
}

const plantedFiles = {
  'packages/contracts/src/deposits/index.ts': "export * from '#src/planted.ts';\n",
  'packages/contracts/src/planted.ts':
    'export const imported = 1;\nexport const neverImported = 2;\nexport type NeverImported = string;\n',
  'services/ledger/src/main.ts':
    "import { unlisted } from 'unlisted-package';\nimport { imported } from '@gateway/contracts/deposits';\n" +
    "import { local } from '#src/local.ts';\nexport default [unlisted, imported, local];\n",
  'services/ledger/src/local.ts': 'export const local = 1;\nexport const neverUsed = 2;\n',
  'services/ledger/src/forgotten.ts': 'export const forgotten = 1;\n',
};

const plantedIssues = [
  'export neverImported in packages/contracts/src/planted.ts',
  'type NeverImported in packages/contracts/src/planted.ts',
  'export neverUsed in services/ledger/src/local.ts',
  'file services/ledger/src/forgotten.ts in services/ledger/src/forgotten.ts',
  'dependency zod in services/ledger/package.json',
  'unlisted unlisted-package in services/ledger/src/main.ts',
];
const plantedInUse = [
  'export imported in packages/contracts/src/planted.ts',
  'export local in services/ledger/src/local.ts',
  'dependency @gateway/contracts in services/ledger/package.json',
];

/** A type in the interface of a package describes a value there; it may wait for the first who has to name it. */
const packageInterfaceType = /^type \S+ in packages\/[a-z-]+\/src\/index\.ts$/;

/** Files, exports and dependencies nobody uses, and planted ones that were not found or found although in use. */
export async function checkDeadCode(): Promise<string[]> {
  const [ours, planted] = await Promise.all([report(repositoryRoot), reportOnPlantedFiles()]);
  return [
    ...[...ours].filter((issue) => !packageInterfaceType.test(issue)),
    ...plantedIssues.filter((issue) => !planted.has(issue)).map((issue) => `planted, but not reported: ${issue}`),
    ...plantedInUse.filter((issue) => planted.has(issue)).map((issue) => `in use, but reported: ${issue}`),
  ];
}

async function reportOnPlantedFiles(): Promise<ReadonlySet<string>> {
  await using sample = await buildSampleRepository(plantedFiles);
  await copyFile(join(repositoryRoot, 'knip.json'), join(sample.root, 'knip.json'));
  return await report(sample.root);
}

async function report(root: string): Promise<ReadonlySet<string>> {
  const { exitCode, stdout, stderr } = await runNode(knip, [...quietly, '--reporter', 'json'], root);
  if (stdout === '') throw new Error(`knip ended with ${exitCode}: ${stderr.trim()}`);
  const { issues } = JSON.parse(stdout) as { issues: Issues[] };
  return new Set(issues.flatMap(linesOf));
}

function linesOf({ file, files, exports, types, dependencies, unlisted }: Issues): string[] {
  const kinds = { file: files, export: exports, type: types, dependency: dependencies, unlisted };
  return Object.entries(kinds).flatMap(([kind, found]) => found.map(({ name }) => `${kind} ${name} in ${file}`));
}
