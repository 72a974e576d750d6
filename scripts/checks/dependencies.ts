import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { repositoryRoot, workspaces, type Manifest, type Workspace } from './repository.ts';

const exactVersion = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}
interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * What npm takes from somewhere else than the registry: repositories of code and addresses, among them `owner/name`. An alias
 * of the registry has a name and perhaps a scope, `npm:@scope/name@1.0.0`.
 */
const fromElsewhere = /^(?!npm:)(?:[\w+.-]+:|[\w.-]+\/)/;

/** The complaints about a workspace and a lockfile that break each rule. */
const planted = {
  workspaces: [
    { folder: 'a', manifest: { name: 'a', dependencies: { range: '^1.0.0', shared: '1.0.0' } } },
    { folder: 'b', manifest: { name: 'b', devDependencies: { shared: '2.0.0' } } },
  ],
  lockfile: {
    packages: {
      'node_modules/range': { version: '1.0.0', resolved: 'https://mirror.example/range.tgz' },
      'node_modules/hidden': {
        version: '1.0.0',
        integrity: 'sha512-planted',
        dependencies: {
          ordinary: '^1.0.0 || npm',
          alias: 'npm:@scope/alias@1.0.0',
          archive: 'https://a.example/b.tgz',
        },
        optionalDependencies: { repository: 'github:owner/repository#0123abc', short: 'owner/short' },
      },
    },
  },
  complaints: [
    'a/package.json: range is "^1.0.0", not an exact version',
    'b/package.json: shared is 2.0.0, but 1.0.0 in a/package.json',
    'package-lock.json: node_modules/range has no integrity',
    'package-lock.json: node_modules/range names where it was downloaded from',
    'package-lock.json: node_modules/hidden takes archive from https://a.example/b.tgz, past the registry',
    'package-lock.json: node_modules/hidden takes repository from github:owner/repository#0123abc, past the registry',
    'package-lock.json: node_modules/hidden takes short from owner/short, past the registry',
  ],
  /** What the same workspaces and the same lockfile have in order. */
  inOrder: ['ordinary', 'alias'],
};

/** The same is installed everywhere: exact versions, one of each package, a lockfile that names no place. */
export async function checkDependencies(): Promise<string[]> {
  const all = await workspaces();
  const lockfile = JSON.parse(await readFile(join(repositoryRoot, 'package-lock.json'), 'utf8')) as Lockfile;
  const found = complaintsAbout(planted.workspaces, planted.lockfile);
  const missed = planted.complaints.filter((complaint) => !found.includes(complaint));
  return [
    ...complaintsAbout(all, lockfile),
    ...(await missingReferences(all)),
    ...missed.map((complaint) => `planted, but not reported: ${complaint}`),
    ...found.filter((complaint) => planted.inOrder.some((name) => complaint.includes(` ${name} `))),
  ];
}

function complaintsAbout(all: readonly Workspace[], lockfile: Lockfile): string[] {
  return [...inexactVersions(all), ...differingVersions(all), ...lockfileComplaints(lockfile)];
}

/**
 * TypeScript does not read package.json: a workspace is checked after the packages that its tsconfig.json refers to. The
 * tests of the packages are a project of their own, since they use what stands above their package.
 */
async function missingReferences(all: readonly Workspace[]): Promise<string[]> {
  const members = all.filter(({ folder }) => folder !== '.');
  const folderOf = new Map(members.map(({ folder, manifest }) => [manifest.name, folder]));
  const wanted = new Map([
    ['tsconfig.build.json', ['packages', ...members.map(({ folder }) => folder)]],
    ['packages/tsconfig.json', members.map(({ folder }) => folder).filter((folder) => folder.startsWith('packages/'))],
    ...members.map(({ folder, manifest }): [string, string[]] => {
      const { dependencies } = manifest;
      const used = dependenciesOf(folder.startsWith('packages/') ? { name: manifest.name, dependencies } : manifest);
      return [`${folder}/tsconfig.json`, used.flatMap(([name]) => folderOf.get(name) ?? [])];
    }),
  ]);
  const complaints: string[] = [];
  for (const [config, folders] of wanted) {
    const text = await readFile(join(repositoryRoot, config), 'utf8').catch(() => '{}');
    const { references = [] } = JSON.parse(text) as { references?: { path: string }[] };
    const named = references.map(({ path }) => join(dirname(config), path));
    for (const folder of folders.filter((other) => !named.includes(other)))
      complaints.push(`${config}: references do not name ${folder}`);
  }
  return complaints;
}

function dependenciesOf({ dependencies, devDependencies, optionalDependencies }: Manifest): [string, string][] {
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
}

function inexactVersions(all: readonly Workspace[]): string[] {
  return all.flatMap(({ folder, manifest }) =>
    dependenciesOf(manifest)
      .filter(([, version]) => !exactVersion.test(version))
      .map(([name, version]) => `${folder}/package.json: ${name} is "${version}", not an exact version`),
  );
}

function differingVersions(all: readonly Workspace[]): string[] {
  const first = new Map<string, { version: string; folder: string }>();
  const complaints: string[] = [];
  for (const { folder, manifest } of all) {
    for (const [name, version] of dependenciesOf(manifest)) {
      const known = first.get(name);
      if (!known) first.set(name, { version, folder });
      else if (known.version !== version) {
        complaints.push(
          `${folder}/package.json: ${name} is ${version}, but ${known.version} in ${known.folder}/package.json`,
        );
      }
    }
  }
  return complaints;
}

/**
 * Without addresses everybody installs from the registry they are set up for; the integrity says it is the same. A package
 * from a repository of code is built when it is installed, by scripts that no release was made of: packages of the registry
 * have been turned into carriers of such a dependency (CVE-2026-45321).
 */
function lockfileComplaints({ packages }: Lockfile): string[] {
  return Object.entries(packages).flatMap(([path, locked]) => {
    const { resolved, integrity, link } = locked;
    if (link === true || !path.includes('node_modules/')) return [];
    const complaints = integrity === undefined ? [`package-lock.json: ${path} has no integrity`] : [];
    for (const [name, wanted] of Object.entries({ ...locked.dependencies, ...locked.optionalDependencies })) {
      if (fromElsewhere.test(wanted))
        complaints.push(`package-lock.json: ${path} takes ${name} from ${wanted}, past the registry`);
    }
    if (resolved !== undefined) complaints.push(`package-lock.json: ${path} names where it was downloaded from`);
    return complaints;
  });
}
