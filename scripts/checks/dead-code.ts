import { plantedDeadCode, plantRepository } from './planted.ts';
import { repositoryRoot } from './repository.ts';
import { runNode } from './run-node.ts';

/** What knip reports of one file. */
interface Issues {
  readonly file: string;
  readonly files: readonly { name: string }[];
  readonly exports: readonly { name: string }[];
  readonly types: readonly { name: string }[];
  readonly dependencies: readonly { name: string }[];
  readonly unlisted: readonly { name: string }[];
}

/** A type in the interface of a package describes a value there; it may wait for the first who has to name it. */
const packageInterfaceType = /^type \S+ in packages\/[a-z-]+\/src\/index\.ts$/;

/** Files, exports and dependencies that nothing uses; planted ones prove that it looks. */
export async function checkDeadCode(): Promise<string[]> {
  await using planted = await plantRepository();
  const [ours, found] = await Promise.all([report(repositoryRoot), report(planted.root)]);
  return [
    ...ours.filter((issue) => !packageInterfaceType.test(issue)),
    ...plantedDeadCode.filter((issue) => !found.includes(issue)).map((issue) => `planted, but not reported: ${issue}`),
  ];
}

async function report(root: string): Promise<string[]> {
  const args = ['--no-progress', '--no-config-hints', '--reporter', 'json'];
  const { exitCode, stdout, stderr } = await runNode('node_modules/.bin/knip', args, root);
  if (stdout === '') throw new Error(`knip ended with ${exitCode}: ${stderr.trim()}`);
  const { issues } = JSON.parse(stdout) as { issues: Issues[] };
  return issues.flatMap(({ file, files, exports, types, dependencies, unlisted }) => {
    const kinds = { file: files, export: exports, type: types, dependency: dependencies, unlisted };
    return Object.entries(kinds).flatMap(([kind, found]) => found.map(({ name }) => `${kind} ${name} in ${file}`));
  });
}
