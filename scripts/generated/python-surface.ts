import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../checks/repository.ts';
import { pythonSdk } from './python-sdk.ts';
import { surfaceReport } from './surface-report.ts';

const folder = 'sdks/python';
/** Modules that programs import, and those whose classes they meet in what they are answered. */
const modules = [
  ...['__init__.py', 'errors.py', 'webhooks.py', 'testing.py', '_errors.py', '_generated/errors.py'],
  ...['_core/options.py', '_core/raw.py', '_core/record.py', '_core/receiving.py'],
  ...['_async/client.py', '_async/pages.py', '_async/receiver.py'],
];
/** Of these, whose parameters follow the API descriptions, the names alone: docs/api/changes.json has the changes of the rest. */
const clients = ['v0_1/async_client.py', 'v1_0/async_client.py'];
const declaration = /^(?:class|def|async def|@\w)|^\w+\s*[:=]|^from .* as /;
const nameOf = /^(?:class |def |async def |@)?(\w+)/;

/** sdks/python/api.txt: what the modules of the Python SDK declare. The synchronous half is made of the asynchronous one. */
export const pythonSurface = surfaceReport({
  file: `${folder}/api.txt`,
  name: 'gateway-sdk',
  changelog: `${folder}/CHANGELOG.md`,
  declared: async () => {
    const whole = modules.map(async (module) => `# ${module}\n${declarationsOf(await read(module)).join('\n')}\n`);
    const names = clients.map(async (module) => `# ${module}\n${namesOf(declarationsOf(await read(module)))}\n`);
    return (await Promise.all([...whole, ...names])).join('\n');
  },
});

/** As it is going to be, where it is generated. */
function read(module: string): Promise<string> {
  const path = `${folder}/src/gateway_sdk/${module}`;
  return pythonSdk[path]?.() ?? readFile(join(repositoryRoot, path), 'utf8');
}

/** The heads of its public classes and functions, members and constants, each on one line. */
function declarationsOf(source: string): string[] {
  const found: string[] = [];
  let isInClass = false;
  for (const statement of statementsOf(source)) {
    const line = statement.trimStart();
    const indent = statement.length - line.length;
    if (indent === 0 && line !== '') isInClass = line.startsWith('class ') || (isInClass && line.startsWith('@'));
    const isDeclared = (indent === 0 || (indent === 4 && isInClass)) && declaration.test(line);
    const name = nameOf.exec(line)?.[1] ?? '';
    if (isDeclared && (!name.startsWith('_') || name.startsWith('__'))) found.push(statement);
  }
  return found;
}

/** Statements with their continued lines in them, without the texts of documentation. */
function statementsOf(source: string): string[] {
  const statements: string[] = [];
  let isText = false;
  let begun: string | undefined;
  for (const line of source.split('\n')) {
    const marks = line.split('"""').length - 1;
    if (isText || marks > 0) {
      if (marks % 2 === 1) isText = !isText;
      continue;
    }
    begun = begun === undefined ? line : `${begun} ${line.trim()}`;
    if (depthOf(begun) > 0) continue;
    statements.push(begun);
    begun = undefined;
  }
  return statements;
}

function depthOf(statement: string): number {
  return statement.split(/[[({]/).length - statement.split(/[\])}]/).length;
}

/** `AsyncDeposits.create`, of classes and their methods. */
function namesOf(declarations: readonly string[]): string {
  let owner = '';
  const names = declarations.flatMap((line) => {
    const name = nameOf.exec(line.trimStart())?.[1] ?? '';
    if (!line.startsWith(' ')) owner = name;
    return line.includes('def ') ? [`${owner}.${name}`] : [];
  });
  return names.filter((name) => !name.endsWith('__init__')).join('\n');
}
