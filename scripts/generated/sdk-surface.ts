import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from '../checks/repository.ts';
import { surfaceReport } from './surface-report.ts';

const folder = 'sdks/typescript';
const entries = ['index.ts', 'webhooks/index.ts', 'testing/index.ts'];
/** Types of the API descriptions, whose changes docs/api/changes.json holds. */
const ofDescriptions = /^generated\/(?:v0_1|v1_0|calls)\.ts$/;

/** sdks/typescript/api.txt: the declarations of all that the package exports, as its users' compilers see them. */
export const sdkSurface = surfaceReport({
  file: `${folder}/api.txt`,
  name: '@gateway/sdk',
  changelog: `${folder}/CHANGELOG.md`,
  declared,
});

/** The declarations of the modules that the entries lead to, in the order in which they are reached. */
async function declared(): Promise<string> {
  const declarations = new Map<string, string>();
  const waiting = [...entries];
  for (let module = waiting.shift(); module !== undefined; module = waiting.shift()) {
    if (declarations.has(module) || ofDescriptions.test(module)) continue;
    const text = declarationsOf(module, await readFile(join(repositoryRoot, folder, 'src', module), 'utf8'));
    declarations.set(module, text);
    for (const [, path = ''] of text.matchAll(/from '(\.[^']+)'/g)) waiting.push(join(dirname(module), path));
  }
  return [...declarations].map(([module, text]) => `// ${module}\n${text}`).join('\n');
}

/** @throws Error for an export whose type is not written down, so that it could change unseen */
function declarationsOf(module: string, source: string): string {
  const compilerOptions: ts.CompilerOptions = {
    declaration: true,
    isolatedDeclarations: true,
    removeComments: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
  };
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(source, {
    ...{ fileName: module, reportDiagnostics: true, compilerOptions },
  });
  const [problem] = module.startsWith('generated/') ? [] : diagnostics;
  if (problem) {
    throw new Error(`${folder}/src/${module}: ${ts.flattenDiagnosticMessageText(problem.messageText, ' ')}`);
  }
  return outputText;
}
