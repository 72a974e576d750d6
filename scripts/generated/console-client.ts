import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { repositoryRoot } from '../checks/repository.ts';

/** The clients by which the consoles in the browser call the gateway: the operators', and below it that of merchants. */
export const consoleClientFolder = 'apps/console/src/generated';

const parts = {
  '': ['client.gen.ts', 'index.ts', 'sdk.gen.ts', 'types.gen.ts'],
  'client/': ['client.gen.ts', 'index.ts', 'types.gen.ts', 'utils.gen.ts'],
  'core/': ['auth', 'bodySerializer', 'params', 'pathSerializer', 'queryKeySerializer', 'serverSentEvents']
    .concat('types', 'utils')
    .map((name) => `${name}.gen.ts`),
};

const listed = Object.entries(parts).flatMap(([folder, files]) => files.map((file) => `${folder}${file}`));
/** What the merchants' client has of its own; what sends requests is that of the operators'. */
const ofMerchants = ['sdk.gen.ts', 'types.gen.ts'];

const operators = once(() => make('operators.json'));
const merchants = once(() => make('openapi-1.0.json'));

/** Their files, which one run of the generator for each makes of its description in `docs/api`. */
export const consoleClient: Readonly<Record<string, () => Promise<string>>> = Object.fromEntries([
  ...listed.map((file) => [`${consoleClientFolder}/${file}`, async () => made(await operators(), file)] as const),
  ...ofMerchants.map(
    (file) =>
      [`${consoleClientFolder}/merchants/${file}`, async () => oneFolderUp(made(await merchants(), file))] as const,
  ),
]);

function once<Result>(begin: () => Promise<Result>): () => Promise<Result> {
  let begun: Promise<Result> | undefined;
  return () => (begun ??= begin());
}

function oneFolderUp(text: string): string {
  return text.replace(/from '\.\/(?=client)/g, "from '../");
}

/** @throws Error when the generator cannot read the description, or makes a file that is not listed above */
async function make(description: string): Promise<ReadonlyMap<string, string>> {
  // Inside the workspace: how the files import each other follows from its tsconfig.json.
  const installed = join(repositoryRoot, 'apps/console/node_modules');
  await mkdir(installed, { recursive: true });
  const output = await mkdtemp(join(installed, '.client-'));
  try {
    await createClient({
      input: join(repositoryRoot, 'docs/api', description),
      output: { path: output, importFileExtension: '.ts' },
      plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
      logs: { level: 'silent', file: false },
    });
    const entries = await readdir(output, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const texts = files.map(async (entry): Promise<[string, string]> => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(output.length + 1), await readFile(path, 'utf8')];
    });
    const found = new Map(await Promise.all(texts));
    const unlisted = [...found.keys()].filter((file) => !listed.includes(file));
    if (unlisted.length > 0)
      throw new Error(`scripts/generated/console-client.ts does not list ${unlisted.join(', ')}`);
    return found;
  } finally {
    await rm(output, { recursive: true, force: true });
  }
}

function made(files: ReadonlyMap<string, string>, file: string): string {
  const text = files.get(file);
  if (text === undefined) throw new Error(`the generator of the console's client makes no ${file} any more`);
  return text;
}
