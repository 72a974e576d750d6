import { runNode } from './checks/run-node.ts';
import { fileOf, plantRepository, planted } from './lint/planted.ts';

/** The part of oxlint's report that is read here. */
interface Diagnostic {
  readonly filename: string;
  /** `typescript(no-floating-promises)`; none of a file that cannot be read. */
  readonly code?: string;
}

const oxlint = 'node_modules/oxlint/bin/oxlint';

/** `npm run lint [-- --fix] [files]`: oxlint over the repository, and over planted code that it has to report. */
const args = process.argv.slice(2);
const isWhole = !args.some((arg) => !arg.startsWith('-'));
const { exitCode, stdout, stderr } = await runNode(oxlint, ['--no-error-on-unmatched-pattern', ...args]);
const missed = isWhole ? await missedPlants() : [];

if (exitCode !== 0 || missed.length > 0) process.exitCode = 1;
process.stdout.write(`${stdout}${stderr}`);
for (const line of missed) process.stdout.write(`${line}\n`);

async function missedPlants(): Promise<string[]> {
  await using repository = await plantRepository();
  const report = await runNode(oxlint, ['--format', 'json', 'packages'], repository.root);
  const { diagnostics } = JSON.parse(report.stdout) as { diagnostics: Diagnostic[] };
  const isFound = (rule: string, file: string) =>
    diagnostics.some(({ filename, code }) => filename === file && code === rule.replace(/[/](.+)/, '($1)'));
  return planted
    .filter(([, rule], index) => !isFound(rule.includes('/') ? rule : `eslint/${rule}`, fileOf(index)))
    .map(([, rule, code]) => `planted violation of ${rule} was not reported: ${code}`);
}
