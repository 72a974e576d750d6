import { parseArgs } from 'node:util';
import { ESLint } from 'eslint';
import { repositoryRoot, typeScriptFiles } from './checks/repository.ts';
import { plantedCode } from './checks/planted-code.ts';

/**
 * `npm run lint [-- --fix] [files]`: ESLint over the repository, and over planted code that breaks a rule each, which
 * proves that the rules hold where they should, types included.
 */
const {
  values: { fix },
  positionals: files,
} = parseArgs({ options: { fix: { type: 'boolean', default: false } }, allowPositionals: true });
const eslint = new ESLint({ cwd: repositoryRoot, fix });
const results = await eslint.lintFiles(files.length > 0 ? files : ['.']);
if (fix) await ESLint.outputFixes(results);
const missed = files.length > 0 ? [] : await missedPlants();

const formatter = await eslint.loadFormatter('stylish');
process.stdout.write(await formatter.format(results));
for (const line of missed) process.stdout.write(`${line}\n`);
if (missed.length > 0 || results.some(({ errorCount, warningCount }) => errorCount + warningCount > 0)) {
  process.exitCode = 1;
}

async function missedPlants(): Promise<string[]> {
  const planting = new ESLint({ cwd: repositoryRoot });
  const complaints: string[] = [];
  const ours = await typeScriptFiles(['packages', 'services', 'test']);
  for (const { where, rule, code } of plantedCode) {
    // The text of an existing file is replaced in memory: only files of the project have types.
    const filePath = ours.find((file) => where.test(file));
    if (filePath === undefined) {
      complaints.push(`no file fits ${where} to plant a violation of ${rule} in`);
      continue;
    }
    const [result] = await planting.lintText(code, { filePath });
    if (!result?.messages.some(({ ruleId }) => ruleId === rule)) {
      complaints.push(`planted violation of ${rule} was not reported: ${code}`);
    }
  }
  return complaints;
}
