import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { declaredFloors, type Floors } from './floors.ts';
import { plantedImports, plantedSurroundings } from './planted-imports.ts';
import { repositoryRoot, typeScriptFiles, workspaces } from './repository.ts';
import { runNode } from './run-node.ts';
import { buildSampleRepository } from './sample-repository.ts';

const folders = ['packages', 'services', 'test', 'bench', 'scripts'];

/** The part of dependency-cruiser's report that is read here. */
interface Cruise {
  readonly modules: readonly { source: string; dependencies: readonly { resolved: string }[] }[];
  readonly summary: { readonly violations: readonly Violation[] };
}
interface Violation {
  readonly from: string;
  readonly to: string;
  /** The other files of a cycle. */
  readonly cycle?: readonly { readonly name: string }[];
  readonly rule: { readonly name: string };
}

/**
 * Workspaces import only what their place in the house allows. Complaints are the violations found, and anything that
 * shows that the tool did not look: files it skipped, imports it did not see, planted violations it let pass.
 */
export async function checkBoundaries(): Promise<string[]> {
  const [ours, planted] = await Promise.all([cruise(repositoryRoot), cruisePlantedImports()]);
  const floors = (await declaredFloors()).flatMap(unlike);
  return [...ours.summary.violations.map(describe), ...floors, ...(await overlookedIn(ours)), ...missedPlants(planted)];
}

async function cruise(root: string): Promise<Cruise> {
  const config = join(repositoryRoot, '.dependency-cruiser.mjs');
  const args = ['--config', config, '--output-type', 'json', ...folders];
  const { exitCode, stdout, stderr } = await runNode('node_modules/.bin/depcruise', args, root);
  if (stdout === '') throw new Error(`dependency-cruiser ended with ${exitCode}: ${stderr.trim()}`);
  return JSON.parse(stdout) as Cruise;
}

async function cruisePlantedImports(): Promise<Cruise> {
  const files = Object.fromEntries(plantedImports.map(({ file, code }) => [file, code]));
  await using sample = await buildSampleRepository({ ...plantedSurroundings, ...files });
  return await cruise(sample.root);
}

function describe({ from, to, cycle, rule }: Violation): string {
  const path = [from, ...(cycle?.map(({ name }) => name) ?? [to])];
  return `${path.join(' → ')} (${rule.name}: see .dependency-cruiser.mjs)`;
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

/** Compares the report with the files as plain text: what both name cannot have been overlooked. */
async function overlookedIn({ modules }: Cruise): Promise<string[]> {
  const dependenciesOf = new Map(modules.map(({ source, dependencies }) => [source, dependencies]));
  const folderOf = new Map((await workspaces()).map(({ folder, manifest }) => [manifest.name, folder]));
  const complaints: string[] = [];
  for (const file of await typeScriptFiles(folders)) {
    const seen = dependenciesOf.get(file);
    if (!seen) {
      complaints.push(`${file} was not looked at`);
      continue;
    }
    const source = await readFile(join(repositoryRoot, file), 'utf8');
    for (const [, name = ''] of source.matchAll(/^(?:import|export|\}) .*?from '(@gateway\/[a-z-]+)/gm)) {
      const folder = folderOf.get(name) ?? name;
      if (!seen.some(({ resolved }) => resolved.startsWith(`${folder}/`) || resolved.startsWith(name))) {
        complaints.push(`${file}: the import of ${name} was not seen`);
      }
    }
  }
  return complaints;
}

function missedPlants({ summary }: Cruise): string[] {
  return plantedImports.flatMap(({ file, code, rule }) => {
    const reported = summary.violations
      .filter(({ from, cycle }) => from === file || cycle?.some(({ name }) => name === file))
      .map((violation) => violation.rule.name);
    if (rule === undefined)
      return reported.map((name) => `planted and allowed, but reported by ${name}: ${file}: ${code}`);
    return reported.includes(rule) ? [] : [`planted violation of ${rule} was not reported: ${file}: ${code}`];
  });
}
