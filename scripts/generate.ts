import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { repositoryRoot } from './checks/repository.ts';
import { apiChanges } from './generated/api-changes.ts';
import { apiDescriptions } from './generated/api-descriptions.ts';
import { brokerPermissionsFile } from './generated/broker-permissions.ts';
import { configurationReference } from './generated/configuration.ts';
import { cliFolder, cliOperations, cliReference } from './generated/cli-operations.ts';
import { consoleClient, consoleClientFolder } from './generated/console-client.ts';
import { architecturePage } from './generated/floors.ts';
import { contractChanges } from './generated/contract-changes.ts';
import { errorReference } from './generated/error-reference.ts';
import { eventCatalogue } from './generated/event-catalogue.ts';
import { guidePages } from './generated/guide-pages.ts';
import { lifeCycleDiagrams } from './generated/life-cycles.ts';
import { mcpErrors, mcpFolder } from './generated/mcp-errors.ts';
import { messageReference } from './generated/message-reference.ts';
import { permissionReference } from './generated/permission-reference.ts';
import { operationExamples } from './generated/operation-examples.ts';
import { postmanCollections } from './generated/postman-collections.ts';
import { pythonSdk, pythonSdkFolders } from './generated/python-sdk.ts';
import { pythonSurface } from './generated/python-surface.ts';
import { sdkSurface } from './generated/sdk-surface.ts';
import { staleFiles } from './generated/stale-files.ts';
import { typescriptSdk, typescriptSdkFolder } from './generated/typescript-sdk.ts';

/** Every generated file and what makes its content. Contents depend on the source alone: no dates, no versions of tools. */
const generators: Readonly<Record<string, () => Promise<string>>> = {
  'ARCHITECTURE.md': architecturePage,
  ...apiDescriptions,
  ...apiChanges,
  // After the descriptions that they are made of.
  ...consoleClient,
  ...typescriptSdk,
  ...sdkSurface,
  ...pythonSdk,
  ...pythonSurface,
  ...mcpErrors,
  ...operationExamples,
  ...cliOperations,
  ...postmanCollections,
  'docs/generated/cli.md': cliReference,
  'deploy/nats/permissions.conf': brokerPermissionsFile,
  'docs/generated/configuration.md': configurationReference,
  'docs/generated/contract-changes.md': contractChanges,
  'docs/generated/errors.md': errorReference,
  'docs/generated/events.md': eventCatalogue,
  'docs/generated/life-cycles.md': lifeCycleDiagrams,
  'docs/generated/messages.md': messageReference,
  'docs/generated/permissions.md': permissionReference,
  ...guidePages,
};

/** Folders that hold nothing but generated files. */
const folders = [
  'docs/api',
  'docs/generated',
  consoleClientFolder,
  typescriptSdkFolder,
  ...pythonSdkFolders,
  mcpFolder,
  cliFolder,
];

/** `npm run generate` writes them; with `--check` it only says which files are not what it would write. */
if (process.argv.includes('--check')) {
  const stale = await staleFiles(generators, folders);
  for (const line of stale) console.log(line);
  if (stale.length > 0) process.exitCode = 1;
} else {
  for (const [path, generate] of Object.entries(generators)) {
    const file = join(repositoryRoot, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await generate());
    console.log(path);
  }
}
