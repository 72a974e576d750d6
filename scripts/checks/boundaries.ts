import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { declaredFloors, undeclaredFloors, type Floors } from './floors.ts';
import { permittedImports, plantRepository, plantedImports, plantedWithoutFloors } from './planted.ts';
import { repositoryRoot } from './repository.ts';
import { runNode } from './run-node.ts';

/** The part of dependency-cruiser's report that is read here. */
interface Violation {
  readonly from: string;
  readonly to: string;
  /** The other files of a cycle. */
  readonly cycle?: readonly { readonly name: string }[];
  readonly rule: { readonly name: string };
}

/**
 * Workspaces and folders import only what stands below them; of planted imports every forbidden one is reported, and no
 * permitted one.
 */
export async function checkBoundaries(): Promise<string[]> {
  await using planted = await plantRepository();
  const [ours, found, floors, undeclared, plantedUndeclared] = await Promise.all([
    violationsIn(repositoryRoot),
    violationsIn(planted.root),
    declaredFloors(),
    undeclaredFloors(repositoryRoot),
    undeclaredFloors(planted.root),
  ]);
  const isFound = (rule: string, file: string) =>
    found.some(({ rule: { name }, ...violation }) => name === rule && filesOf(violation).includes(file));
  return [
    ...ours.map(describe),
    ...floors.flatMap(unlike),
    ...undeclared.map((workspace) => `${workspace} has several folders and no floors.json`),
    ...(plantedUndeclared.includes(plantedWithoutFloors)
      ? []
      : ['a planted workspace without floors was not reported']),
    ...plantedImports
      .filter(([rule, file]) => !isFound(rule, file))
      .map(([rule, file]) => `planted violation of ${rule} was not reported: ${file}`),
    ...permittedImports.flatMap(([file]) =>
      found
        .filter(({ from }) => from === file)
        .map(({ rule: { name } }) => `permitted import was reported by ${name}: ${file}`),
    ),
  ];
}

const folders = ['apps', 'sdks', 'packages', 'services', 'test', 'bench', 'scripts'];

async function violationsIn(root: string): Promise<readonly Violation[]> {
  const config = join(repositoryRoot, '.dependency-cruiser.mjs');
  const args = ['--config', config, '--output-type', 'json', ...folders];
  const { exitCode, stdout, stderr } = await runNode('node_modules/.bin/depcruise', args, root);
  if (stdout === '') throw new Error(`dependency-cruiser ended with ${exitCode}: ${stderr.trim()}`);
  return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations;
}

function filesOf({ from, to, cycle }: Pick<Violation, 'from' | 'to' | 'cycle'>): string[] {
  return [from, ...(cycle?.map(({ name }) => name) ?? [to])];
}

function describe(violation: Violation): string {
  const { name } = violation.rule;
  return `${filesOf(violation).join(' → ')} (${name}: see ${name === 'floors' ? 'floors.json' : '.dependency-cruiser.mjs'})`;
}

/** Every folder stands on one floor of its workspace, and every floor's folders are there. */
function unlike({ workspace, floors, folders: present }: Floors): string[] {
  const listed = floors.flat();
  return [
    ...present.filter((name) => !listed.includes(name)).map((name) => `${workspace}/src/${name} stands on no floor`),
    ...listed
      .filter((name, index) => listed.indexOf(name) !== index)
      .map((name) => `${workspace}: ${name} is listed twice`),
    ...listed
      .filter((name) => !existsSync(join(repositoryRoot, workspace, 'src', name)))
      .map((name) => `${workspace}/floors.json lists ${name}, which is not there`),
  ];
}
